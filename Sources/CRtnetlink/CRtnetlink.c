// SwiftPM wants a source file in a C target; everything is in the header.
#include "CRtnetlink.h"
