// SwiftPM builds a C target only if it has a source.
#include "CSodium.h"
