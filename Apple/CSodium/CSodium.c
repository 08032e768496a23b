// SwiftPM builds a C target only if it contains a source file.
#include "CSodium.h"
