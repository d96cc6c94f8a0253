// SPDX-License-Identifier: Apache-2.0
// Types of graphs of audio units.
#pragma once
#include <stdint.h>
#include "AudioUnitTypes.h"

typedef struct OpaqueAUGraph *AUGraph;
typedef int32_t AUNode;

// A connection from the output of a node to an input of another.
typedef struct AudioUnitNodeConnection {
  AUNode sourceNode;
  uint32_t sourceOutputNumber;
  AUNode destNode;
  uint32_t destInputNumber;
} AudioUnitNodeConnection;
typedef AudioUnitNodeConnection AUNodeConnection;

// A render callback for an input of a node.
typedef struct AUNodeRenderCallback {
  AUNode destNode;
  AudioUnitElement destInputNumber;
  AURenderCallbackStruct cback;
} AUNodeRenderCallback;

// A connection or a render callback, depending on the type.
typedef struct AUNodeInteraction {
  uint32_t nodeInteractionType;
  union {
    AUNodeConnection connection;
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;
