// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SoundFontFiles

// Recording of the notes with which presets are played, for songs that are analysed.
extension VoiceSynth {
  /// Starts to record the notes of each patch instead of playing them.
  ///
  /// A note is recorded as it is played: with the part's key shift and velocity sense, and again if
  /// a mono part returns to it.
  ///
  /// - Returns: false if memory is short.
  package mutating func recordStrikes() -> Bool {
    guard unsafe strikes == nil else { return true }
    let patchCount = unsafe bank._withUnsafeGuaranteedRef { $0.patchCount }
    let count = max(1, patchCount) * NoteSet.wordCount
    // Pages of patches that are not played are not touched.
    guard let memory = unsafe calloc(count, MemoryLayout<UInt64>.stride) else { return false }
    unsafe strikes = memory.bindMemory(to: UInt64.self, capacity: count)
    return true
  }

  /// The notes with which a patch was played; nil without notes or recording.
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
