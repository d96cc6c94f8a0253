// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicSequences
package import MusicalTime

/// What a key, another program or a signal does to a song that plays.
package enum PlayCommand: Hashable {
  /// Pauses, or goes on.
  case pause
  case setPaused(Bool)
  /// Pauses at the beginning.
  case stop
  /// So many seconds on.
  case seek(Int)
  case locate(SeekTime)
  case bars(Int)
  case marker(Int)
  case restart
  /// So many files on.
  case file(Int)
  /// Goes to a file, counted from 0.
  case goTo(Int)
  case setRepetition(SongQueue.Repetition)
  /// Percent of the written speed, more or less.
  case speed(Int)
  case speedFactor(numerator: Int64, denominator: Int64)
  case normalSpeed
  case setSpeed(Ratio)
  case tap
  /// Quarter notes at one tempo until it stops.
  case setTempo(Tempo)
  case transpose(Int)
  case setTransposition(Int)
  /// Decibels more or less.
  case volume(Int)
  case setVolume(Double)
  case select(Int)
  case mute, solo, hearAll
  /// Which of some channels are mute, or played alone.
  case setMuted(PortChannels, among: PortChannels)
  case setSoloed(PortChannels, among: PortChannels)
  /// Gives a channel another instrument.
  case setProgram(Channel, UInt8)
  case loopPart, loopSong
  case setLoop(SeekTime, SeekTime)
  case endLoop
  case panic
  case quit
  /// To quit, and to go on here another time.
  case leave
}
