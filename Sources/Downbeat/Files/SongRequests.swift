internal import MIDIMessages
public import MusicSequences
internal import MusicalTime
// SPDX-License-Identifier: Apache-2.0
public import SoundFontInstruments

/// What songs ask of a module of GS, XG or General MIDI 2: parameters of parts and drum notes, and
/// effects.
///
/// It is found without playing.
public struct SongRequests: Sendable {
  /// What is asked for on a port.
  public struct Port: Sendable {
    /// The port, counted from 0.
    public let port: UInt8
    /// What is asked for there.
    public internal(set) var requests = ModuleRequests()
  }

  /// The ports on which something is asked for, ascending.
  public var ports: [Port] {
    all.values.filter { !$0.requests.isEmpty }.sorted { $0.port < $1.port }
  }
  /// Whether nothing is asked for.
  public var isEmpty: Bool { ports.isEmpty }
  /// The effects that Downbeat's own voices do not have, each once.
  public var missingEffects: [RequestedEffect] {
    ports.flatMap(\.requests.effects).filter { !$0.isAvailable }.distinct
  }

  private var all: [UInt8: Port] = [:]

  /// Goes through songs.
  ///
  /// - Parameter sequences: the songs, or the patterns of one, one after the other.
  /// - Complexity: O(n) in the events.
  public init(_ sequences: [MusicSequence]) {
    for sequence in sequences { add(sequence) }
  }

  private mutating func add(_ sequence: MusicSequence) {
    var sequence = sequence.withWholeSysEx
    for index in sequence.tracks.indices { sequence.tracks[index].settings.loop = nil }
    var cursor = SequenceCursor(playing: sequence)
    while let event = cursor.next(before: Tick(.max)) {
      guard event.port < TrackPorts.limit else { continue }
      switch event.kind {
      case .message(let message):
        all[event.port, default: Port(port: event.port)].requests.take(message)
      case .sysEx(let place):
        let bytes = sequence.tracks[Int(event.track)].payload(place)
        all[event.port, default: Port(port: event.port)].requests.take(sysEx: bytes)
      default: break
      }
    }
  }
}
