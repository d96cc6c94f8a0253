// SPDX-License-Identifier: Apache-2.0

extension PatchBank {
  /// Returns true if a note starts a voice of a patch.
  ///
  /// - Parameters:
  ///   - patch: the patch, 0..<`patchCount`.
  ///   - key: the key, 0…127.
  ///   - velocity: the velocity, 1…127; nil for any.
  /// - Returns: true if a region covers the note.
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
