internal import CPostgres
internal import GRDB
internal import Hummingbird
internal import HummingbirdTLS
