// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles

/// The components, each an object so that its reference can be told from others.
final class ComponentObject: Sendable {
  let place: Int

  private init(_ place: Int) {
    self.place = place
  }

  /// References of all components, made once.
  static let handles: [Handle?] = UnitKind.all.indices.map {
    HandleTable.shared.add(ComponentObject($0))
  }

  @unsafe
  static func find(_ reference: AudioComponent?) -> ComponentObject? {
    unsafe HandleTable.shared.object(at: reference)
  }
}
