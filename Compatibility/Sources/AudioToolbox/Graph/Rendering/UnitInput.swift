// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The source of an input: the output of a unit, or a render callback.
@safe
enum UnitInput: @unchecked Sendable {
  // Unchecked: the caller that passed the pointer is responsible for the threads that use it.
  case unit(UnitObject, bus: UInt32)
  case function(AURenderCallbackStruct)
}
