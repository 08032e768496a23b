#!/usr/bin/env python3
"""A file of FIDO metadata, minted with cryptography and joserfc, and the root that it is under.

    {"algorithm": "ES256" or "RS256", "host": …, "number": …, "next_update": "YYYY-MM-DD", "entries": [{"aaguid": …,
     "statuses": [[status, date or null], …]}, …]}
    ->  {"file": the JWS, "root": DER of its root in hex, "vendor": DER of the root in each entry in hex}
"""

import base64
import datetime
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from joserfc import jws
from joserfc.jwk import ECKey, RSAKey

request = json.load(sys.stdin)


def key():
    if request["algorithm"] == "RS256":
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return ec.generate_private_key(ec.SECP256R1())


def certificate(name, public, issuer, signer, is_authority, host=None):
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=730))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(
            x509.KeyUsage(not is_authority, False, False, False, False, is_authority, is_authority, False, False),
            critical=True,
        )
    )
    if host:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


root, between, service, vendor = key(), key(), key(), key()
root_der = certificate("Python root", root.public_key(), "Python root", root, True)
vendor_der = certificate("Python vendor", vendor.public_key(), "Python vendor", vendor, True)
chain = [
    certificate("Service", service.public_key(), "Python authority", between, False, request["host"]),
    certificate("Python authority", between.public_key(), "Python root", root, True),
]
entries = [
    {
        "aaguid": entry["aaguid"],
        "metadataStatement": {
            "description": "Minted by Python: é",
            "attestationRootCertificates": [base64.b64encode(vendor_der).decode()],
        },
        "statusReports": [
            {"status": status, **({"effectiveDate": date} if date else {})} for status, date in entry["statuses"]
        ],
    }
    for entry in request["entries"]
]
payload = {"no": request["number"], "nextUpdate": request["next_update"], "entries": entries, "legalHeader": "none"}
pem = service.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
signer = (RSAKey if request["algorithm"] == "RS256" else ECKey).import_key(pem)
header = {"alg": request["algorithm"], "typ": "JWT", "x5c": [base64.b64encode(der).decode() for der in chain]}
text = jws.serialize_compact(header, json.dumps(payload), signer, algorithms=[request["algorithm"]])
json.dump({"file": text, "root": root_der.hex(), "vendor": vendor_der.hex()}, sys.stdout)
