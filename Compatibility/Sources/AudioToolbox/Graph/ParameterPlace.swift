// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Which parameter.
struct ParameterPlace: Hashable, Sendable {
  var id: AudioUnitParameterID
  var scope: AudioUnitScope
  var element: AudioUnitElement
}
