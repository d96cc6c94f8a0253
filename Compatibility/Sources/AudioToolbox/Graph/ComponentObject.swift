// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles

/// A component, as an object with a handle, so that a reference can be checked.
final class ComponentObject: Sendable {
  let place: Int

  private init(_ place: Int) {
    self.place = place
  }

  /// The handles of all components.
  static let handles: [Handle?] = UnitKind.all.indices.map {
    HandleTable.shared.add(ComponentObject($0))
  }

  @unsafe
  static func find(_ reference: AudioComponent?) -> ComponentObject? {
    unsafe HandleTable.shared.object(at: reference)
  }
}
