// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// The unique IDs of objects: the same for the same names in every process.
struct UniqueIDs: Sendable {
  private var owners: [MIDIUniqueID: MIDIObject] = [:]

  /// An unused unique ID for an object with a description.
  ///
  /// It is the FNV-1a hash of the description, or the next free number.
  func unused(for description: String) -> MIDIUniqueID {
    var hash: UInt32 = 2_166_136_261
    for byte in description.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    var number = MIDIUniqueID(bitPattern: hash)
    while number == 0 || owners[number] != nil { number &+= 1 }
    return number
  }

  /// The object with a unique ID.
  func owner(of number: MIDIUniqueID) -> MIDIObject? { owners[number] }

  /// Gives a unique ID to an object; returns false if it is 0 or in use.
  mutating func give(_ number: MIDIUniqueID, to object: MIDIObject) -> Bool {
    guard number != 0, owners[number] == nil || owners[number] === object else { return false }
    take(from: object)
    owners[number] = object
    return true
  }

  /// Frees the unique ID of an object.
  mutating func take(from object: MIDIObject) {
    let number = object.properties.withLock { $0.integer("uniqueID") }
    if let number, owners[number] === object { owners[number] = nil }
  }
}
