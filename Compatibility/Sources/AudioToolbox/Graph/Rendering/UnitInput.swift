// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// What an input hears.
@safe
enum UnitInput: @unchecked Sendable {
  // Unchecked: whoever gave the pointer answers for the thread on which it is used.
  case unit(UnitObject, bus: UInt32)
  case function(AURenderCallbackStruct)
}
