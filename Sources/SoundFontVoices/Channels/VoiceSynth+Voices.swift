// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

// Voices by index, 0..<polyphony.
extension VoiceSynth {
  /// Fills a list with the indices of sounding voices; returns their number.
  @_noAllocation @_noLocks
  package func list(_ places: UnsafeMutablePointer<Int32>, capacity: Int) -> Int {
    var count = 0
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      guard count < capacity else { break }
      unsafe places[count] = Int32(truncatingIfNeeded: place)
      count &+= 1
    }
    return count
  }

  /// The number of a voice's note; later notes have higher numbers.
  @_noAllocation @_noLocks
  package func note(of place: Int) -> UInt32 { unsafe table.marks[place].note }

  /// The channel, key and velocity of a voice.
  @_noAllocation @_noLocks
  package func origin(of place: Int) -> (channel: Int, key: Int, velocity: Int) {
    unsafe (
      Int(table.marks[place].channel), Int(table.marks[place].key), Int(velocity(of: place))
    )
  }

  /// True for a voice that its key holds, and for a voice that only a pedal holds.
  @_noAllocation @_noLocks
  package func isHeld(_ place: Int) -> (byKey: Bool, byPedal: Bool) {
    unsafe (table.marks[place].isOn, table.marks[place].isPedalled)
  }

  /// Changes the pitch of a voice by cents.
  @_noAllocation @_noLocks
  package mutating func tune(_ place: Int, byCents cents: Float) {
    unsafe table.voices[place].values[Generator.fineTune] += cents
    update(place, Generator.fineTune)
  }

  /// Fades a voice to silence within a quantum, and marks it as fading.
  @_noAllocation @_noLocks
  package mutating func fade(_ place: Int) {
    unsafe table.marks[place].isFading = true
    unsafe table.voices[place].values[Generator.attenuation] = 20_000
    update(place, Generator.attenuation)
  }

  @_noAllocation @_noLocks
  package func isFading(_ place: Int) -> Bool { unsafe table.marks[place].isFading }

  /// Ends a voice immediately, even if it is held; its slot becomes free.
  @_noAllocation @_noLocks
  package mutating func end(_ place: Int) {
    guard unsafe !table.marks[place].isFree else { return }
    table.free(place)
  }
}
