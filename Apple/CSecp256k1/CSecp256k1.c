// SwiftPM builds a C target only if it has a source.
#include "CSecp256k1.h"
