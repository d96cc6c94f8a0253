// SPDX-License-Identifier: Apache-2.0

/// The open notes of each port that one track changes to, so that a note-off ends a note of its port.
///
/// A track that keeps to one port has none of its own: the tables of the scratch are enough.
@safe
struct ParserPorts {
  /// More ports than are played share the last tables.
  private static let limit = 2 * TrackPorts.limit

  /// The oldest and the latest open note of each channel and key of a port.
  @unsafe
  struct Tables {
    let heads: UnsafeMutablePointer<UInt32>
    let tails: UnsafeMutablePointer<UInt32>
  }

  /// What the events that are read now ask for a port by.
  private(set) var key = PortSegment.Key.none
  private var keys: [PortSegment.Key] = []
  private var tables: [Tables] = unsafe []
  /// The number of records at the beginning of the track that are known not to be notes.
  var noteless = 0

  init() {}

  /// Whether the track has asked for one port at most so far.
  var isSingle: Bool { unsafe tables.isEmpty }

  /// Takes what the track asks for before it has notes.
  mutating func begin(_ key: PortSegment.Key) { self.key = key }

  /// Changes the port; none is the same as number 0.
  ///
  /// - Parameters:
  ///   - new: what the track asks for.
  ///   - old: the tables in use.
  /// - Returns: the tables of the new port.
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

  /// The tables of all ports; those in use if the track has one.
  func all(or used: Tables) -> [Tables] { unsafe isSingle ? [used] : tables }

  /// Frees the tables but the first, which are the scratch's.
  mutating func free() {
    for index in unsafe tables.indices.dropFirst() {
      unsafe tables[index].heads.deallocate()
      unsafe tables[index].tails.deallocate()
    }
    unsafe tables = []
  }
}
