internal import MIDIMessages
public import MusicSequences
internal import MusicalTime
// SPDX-License-Identifier: Apache-2.0
public import SoundFontInstruments

/// The parameters of parts and drum notes, and the effects, that songs request from a GS, XG or GM2
/// module.
///
/// The songs are examined without playing them.
public struct SongRequests: Sendable {
  /// The parameters and effects that are requested on one port of the songs.
  public struct Port: Sendable {
    /// The port, counted from 0.
    public let port: UInt8
    /// The parameters and effects that are requested on the port.
    public internal(set) var requests = ModuleRequests()
  }

  /// The ports on which something is requested, ascending.
  public var ports: [Port] {
    all.values.filter { !$0.requests.isEmpty }.sorted { $0.port < $1.port }
  }
  /// True if the songs do not request anything.
  public var isEmpty: Bool { ports.isEmpty }
  /// The requested effects that Downbeat's own voices do not have, without duplicates.
  public var missingEffects: [RequestedEffect] {
    ports.flatMap(\.requests.effects).filter { !$0.isAvailable }.distinct
  }

  private var all: [UInt8: Port] = [:]

  /// Examines songs.
  ///
  /// - Parameter sequences: The songs, or the patterns of one song in order.
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
