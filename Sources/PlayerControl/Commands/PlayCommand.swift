// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// A command for a player, from a key, a signal or another program.
///
/// A player performs the commands whose verbs are in `ControlTarget.verbs`, and refuses all others.
public enum PlayCommand: Hashable, Sendable {
  /// Pauses playback, or resumes it if it is paused.
  case togglePause
  /// Pauses playback if true; resumes it if false.
  case setPaused(Bool)
  /// Moves to the beginning of the song, and pauses.
  case stop
  /// Moves forward by a number of seconds; a negative number moves back.
  case skipSeconds(Int)
  /// Moves to a position.
  case locate(SeekTime)
  /// Moves forward by a number of bars; a negative number moves back.
  case skipBars(Int)
  /// Moves forward by a number of markers; a negative number moves back.
  case skipMarkers(Int)
  /// Moves to the beginning of the song.
  case restart
  /// Moves forward by a number of files in the queue; a negative number moves back.
  case skipFiles(Int)
  /// Moves to a file of the queue by its index, counted from 0.
  case goToFile(Int)
  /// Sets the part of the queue that is repeated: nothing, the whole queue or the current song.
  case setRepetition(SongQueue.Repetition)
  /// Changes the speed by a number of percent of the written speed; a negative number makes it
  /// slower.
  case changeSpeed(Int)
  /// Multiplies the speed by a fraction.
  case multiplySpeed(numerator: Int64, denominator: Int64)
  /// Returns to the written tempo: ends a constant tempo, and sets the speed to 1.
  case resetSpeed
  /// Resets speed, tempo, transposition, mutes, solos and volume, so that the song is played as
  /// written.
  case resetAll
  /// Sets the speed as a factor, 1/10…8; 1 is the written speed.
  case setSpeed(Ratio)
  /// Taps the tempo: the second and each further tap set the tempo from the time between taps.
  case tap
  /// Sets a constant tempo, until the song is paused.
  case setTempo(Tempo)
  /// Changes the transposition by a number of semitones; a negative number transposes down.
  case changeTransposition(Int)
  /// Sets the transposition in semitones, −48…48; drums are not transposed.
  case setTransposition(Int)
  /// Changes the volume by a number of decibels; a negative number lowers it.
  case changeVolume(Int)
  /// Sets the volume in decibels, −60…12.
  case setVolume(Double)
  /// Selects the next channel that has events; a negative number selects the previous one.
  case selectChannel(Int)
  /// Mutes the selected channel, or unmutes it if it is muted.
  case toggleMute
  /// Turns solo on or off for the selected channel.
  case toggleSolo
  /// Turns off mute and solo for all channels.
  case unmuteAll
  /// Mutes channels, and unmutes the other channels of the set `among`.
  ///
  /// Channels outside `among` do not change.
  case setMuted(PortChannels, among: PortChannels)
  /// Turns solo on for channels, and off for the other channels of the set `among`.
  ///
  /// Channels outside `among` do not change.
  case setSoloed(PortChannels, among: PortChannels)
  /// Sets the program of a channel; programs are 0…127.
  case setProgram(Channel, UInt8)
  /// Sets the next point of an A-B loop: the first call sets the start (A) at the current position,
  /// the second the end (B), and the third ends the loop.
  case cycleLoop
  /// Loops the whole song, or ends the loop if one is set.
  case toggleSongLoop
  /// Repeats the part from the first position to the second.
  case setLoop(SeekTime, SeekTime)
  /// Turns off the loop, so that playback continues after the end of the loop.
  case endLoop
  /// Ends all sounding notes immediately.
  case panic
  /// Quits the player.
  case quit
  /// Quits the player, and stores the position so that playback can resume at it.
  case quitToResume
}
