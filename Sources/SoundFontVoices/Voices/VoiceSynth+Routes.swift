// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

extension VoiceSynth {
  /// Sets the route of the voices of a channel, 0…15, including sounding voices.
  ///
  /// - Complexity: O(n) in the number of voices if the route changes.
  @_noAllocation @_noLocks
  package mutating func route(_ channel: Int, _ route: VoiceRoute) {
    guard unsafe routes[channel] != route else { return }
    unsafe routes[channel] = route
    for place in 0..<table.bound
    where unsafe !table.marks[place].isFree && Int(table.marks[place].channel) == channel {
      unsafe table.controls[place].bus = Int32(truncatingIfNeeded: route.bus)
      setGains(place)
      setSend(place, channel)
    }
  }

  /// Sets the send of a voice to the second bus of its channel, with the delay send of its drum
  /// note.
  @_noAllocation @_noLocks
  func setSend(_ place: Int, _ channel: Int) {
    let route = unsafe routes[channel]
    let share = unsafe table.voices[place].sendFactors[2]
    unsafe cvoices_set_send(
      table.controls + place, Int32(truncatingIfNeeded: route.sendBus), route.send * share)
  }
}
