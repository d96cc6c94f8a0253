// SPDX-License-Identifier: Apache-2.0

/// The default values for samples in fragments.
///
/// Source: ISO/IEC 14496-12, 8.8.3 (`trex`).
struct MP4FragmentDefaults: Hashable, Sendable {
  /// The duration in the track's units.
  var duration: Int
  /// The size in bytes.
  var byteCount: Int

  /// The defaults of all tracks of a movie (`moov`), by the number of the track.
  static func all(in movie: MP4Box) -> [Int: MP4FragmentDefaults] {
    guard let extensions = movie.child("mvex") else { return [:] }
    var defaults: [Int: MP4FragmentDefaults] = [:]
    for box in MP4Box.all(in: extensions.content) where box.name == "trex" {
      guard let track = box.content.number(4, 4), let duration = box.content.number(12, 4),
        let size = box.content.number(16, 4)
      else { continue }
      defaults[track] = MP4FragmentDefaults(duration: duration, byteCount: size)
    }
    return defaults
  }
}
