// SPDX-License-Identifier: Apache-2.0
// Types of graphs of audio units.
#pragma once
#include <stdint.h>
#include "AudioUnitTypes.h"

typedef struct OpaqueAUGraph *AUGraph;
typedef int32_t AUNode;

// One node's output as another's input.
typedef struct AudioUnitNodeConnection {
  AUNode sourceNode;
  uint32_t sourceOutputNumber;
  AUNode destNode;
  uint32_t destInputNumber;
} AudioUnitNodeConnection;
typedef AudioUnitNodeConnection AUNodeConnection;

// A function as a node's input.
typedef struct AUNodeRenderCallback {
  AUNode destNode;
  AudioUnitElement destInputNumber;
  AURenderCallbackStruct cback;
} AUNodeRenderCallback;

// What a node's input hears: a node, or a function, as the type says.
typedef struct AUNodeInteraction {
  uint32_t nodeInteractionType;
  union {
    AUNodeConnection connection;
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;
