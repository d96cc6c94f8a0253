// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The number, scope and element that identify a parameter.
struct ParameterPlace: Hashable, Sendable {
  var id: AudioUnitParameterID
  var scope: AudioUnitScope
  var element: AudioUnitElement
}
