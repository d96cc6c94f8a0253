// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SoundFontFiles

// The notes that strike presets, for a song that is looked at and not played.
extension VoiceSynth {
  /// Records from now on which notes strike which patch, instead of sounding them.
  ///
  /// A note counts as it is struck: with the part's key shift and velocity sense, and again if a
  /// mono part returns to it.
  ///
  /// - Returns: false if memory does not suffice.
  package mutating func recordStrikes() -> Bool {
    guard unsafe strikes == nil else { return true }
    let patchCount = unsafe bank._withUnsafeGuaranteedRef { $0.patchCount }
    let count = max(1, patchCount) * NoteSet.wordCount
    // Pages of patches that are not played are never touched.
    guard let memory = unsafe calloc(count, MemoryLayout<UInt64>.stride) else { return false }
    unsafe strikes = memory.bindMemory(to: UInt64.self, capacity: count)
    return true
  }

  /// The notes that a patch was struck with; nil if there was none, or none is recorded.
  package func struckNotes(of patch: Int) -> NoteSet? {
    guard let strikes = unsafe strikes else { return nil }
    let first = unsafe strikes + patch * NoteSet.wordCount
    let notes = NoteSet(words: (0..<NoteSet.wordCount).map { unsafe first[$0] })
    return notes.isEmpty ? nil : notes
  }

  /// Marks a note of a patch: two words for each key.
  @_noAllocation @_noLocks
  func record(
    _ key: UInt8, _ velocity: UInt8, of patch: Int, in strikes: UnsafeMutablePointer<UInt64>
  ) {
    let word = patch &* 256 &+ Int(key & 0x7F) &* 2 &+ Int(velocity >> 6 & 1)
    unsafe strikes[word] |= 1 << UInt64(velocity & 63)
  }
}
