// SPDX-License-Identifier: Apache-2.0
// Types of graphs of audio units.
#pragma once
#include <stdint.h>

typedef struct OpaqueAUGraph *AUGraph;
typedef int32_t AUNode;
