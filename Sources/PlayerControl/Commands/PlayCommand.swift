// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// A command for a player, from a key, a signal or another program.
///
/// A player performs the commands that it lists in `ControlTarget.verbs` and refuses the others.
public enum PlayCommand: Hashable, Sendable {
  /// Pauses, or resumes if it is paused.
  case togglePause
  /// Pauses if true, resumes if false.
  case setPaused(Bool)
  /// Pauses at the beginning of the song.
  case stop
  /// Moves by seconds, back if negative.
  case skipSeconds(Int)
  /// Moves to a position.
  case locate(SeekTime)
  /// Moves by bars, back if negative.
  case skipBars(Int)
  /// Moves by markers, back if negative.
  case skipMarkers(Int)
  /// Moves to the beginning of the song.
  case restart
  /// Moves by files in the queue, back if negative.
  case skipFiles(Int)
  /// Moves to a file of the queue, counted from 0.
  case goToFile(Int)
  /// Sets the part of the queue that is repeated.
  case setRepetition(SongQueue.Repetition)
  /// Changes the speed by percent of the written one.
  case changeSpeed(Int)
  /// Multiplies the speed by a fraction.
  case multiplySpeed(numerator: Int64, denominator: Int64)
  /// Plays at the written tempo again: ends a constant tempo, and sets the speed to 1.
  case resetSpeed
  /// Plays the song as written: speed, tempo, transposition, channels and volume.
  case resetAll
  /// Sets the speed: 1 as written, 1/10…8.
  case setSpeed(Ratio)
  /// Taps the tempo: from the second tap on sets it.
  case tap
  /// Sets a constant tempo, until the song is paused.
  case setTempo(Tempo)
  /// Transposes by semitones, down if negative.
  case changeTransposition(Int)
  /// Sets the transposition: −48…48 semitones; drums are not transposed.
  case setTransposition(Int)
  /// Changes the volume by decibels, down if negative.
  case changeVolume(Int)
  /// Sets the volume: −60…12 dB.
  case setVolume(Double)
  /// Selects the next channel that has events, or the one before if negative.
  case selectChannel(Int)
  /// Mutes the selected channel, or unmutes it.
  case toggleMute
  /// Plays the selected channel solo, or no longer.
  case toggleSolo
  /// Ends all mutes and solos.
  case unmuteAll
  /// Mutes the first of the second channels and unmutes the rest of them.
  case setMuted(PortChannels, among: PortChannels)
  /// Plays the first of the second channels solo, and the rest of them no longer.
  case setSoloed(PortChannels, among: PortChannels)
  /// Sets the program of a channel, 0…127.
  case setProgram(Channel, UInt8)
  /// Sets A of an A-B loop at this position, then B; then ends the loop.
  case cycleLoop
  /// Loops the whole song, or ends the loop.
  case toggleSongLoop
  /// Loops from the first position to the second.
  case setLoop(SeekTime, SeekTime)
  /// Ends the loop: plays on at its end.
  case endLoop
  /// Ends all sounding notes.
  case panic
  /// Quits.
  case quit
  /// Quits, and remembers the position so that playback can resume there.
  case quitToResume
}
