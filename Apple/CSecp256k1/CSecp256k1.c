// SwiftPM builds a C target only if it contains a source file.
#include "CSecp256k1.h"
