// SPDX-License-Identifier: Apache-2.0

/// The open notes of each port of a track, so that a note-off ends a note of its port.
///
/// A track with one port uses the tables of `ParserScratch`.
@safe
struct ParserPorts {
  /// If a track has more ports than can be played, they share the last tables.
  private static let limit = 2 * TrackPorts.limit

  /// The oldest and the newest open note of each channel and key of a port.
  @unsafe
  struct Tables {
    let heads: UnsafeMutablePointer<UInt32>
    let tails: UnsafeMutablePointer<UInt32>
  }

  /// The port of the events that are being read.
  private(set) var key = PortSegment.Key.none
  private var keys: [PortSegment.Key] = []
  private var tables: [Tables] = unsafe []
  /// The number of records at the beginning of the track that are known not to be notes.
  var noteless = 0

  init() {}

  /// True if the track has used at most one port so far.
  var isSingle: Bool { unsafe tables.isEmpty }

  /// Sets the port of a track that does not have notes yet.
  mutating func begin(_ key: PortSegment.Key) { self.key = key }

  /// Changes the port; no port is the same as port number 0.
  ///
  /// - Parameters:
  ///   - new: The new port.
  ///   - old: The tables in use.
  /// - Returns: The tables of the new port.
  mutating func change(to new: PortSegment.Key, from old: Tables) -> Tables {
    if isSingle {
      keys = [key]
      unsafe tables = unsafe [old]
    }
    key = new
    if let known = keys.firstIndex(where: { $0.orFirst == new.orFirst }) {
      return unsafe tables[known]
    }
    guard keys.count < Self.limit else { return unsafe tables[keys.count - 1] }
    keys.append(new)
    unsafe tables.append(ParserScratch.makeTables())
    return unsafe tables[keys.count - 1]
  }

  /// The tables of all ports; the tables in use if the track has one port.
  func all(or used: Tables) -> [Tables] { unsafe isSingle ? [used] : tables }

  /// Frees all tables except the first, which `ParserScratch` owns.
  mutating func free() {
    for index in unsafe tables.indices.dropFirst() {
      unsafe tables[index].heads.deallocate()
      unsafe tables[index].tails.deallocate()
    }
    unsafe tables = []
  }
}
