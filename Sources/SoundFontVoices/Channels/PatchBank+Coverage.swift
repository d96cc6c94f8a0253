// SPDX-License-Identifier: Apache-2.0

extension PatchBank {
  /// Whether a note of a patch strikes a voice.
  ///
  /// - Parameters:
  ///   - patch: the patch, 0..<`patchCount`.
  ///   - key: 0…127.
  ///   - velocity: 1…127; nil for any.
  /// - Returns: whether a region takes the note.
  /// - Complexity: O(n) in the regions of the patch.
  package func hasVoice(in patch: Int, key: UInt8, velocity: UInt8?) -> Bool {
    let regions = unsafe regions(of: patch)
    for index in 0..<regions.count {
      let region = unsafe regions[index]
      guard region.lowKey <= key, key <= region.highKey else { continue }
      guard let velocity else { return true }
      if region.lowVelocity <= velocity, velocity <= region.highVelocity { return true }
    }
    return false
  }
}
