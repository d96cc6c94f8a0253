// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// The unique numbers of objects: the same for the same names in every process.
struct UniqueIDs: Sendable {
  private var owners: [MIDIUniqueID: MIDIObject] = [:]

  /// A number for something of a description, which nobody has yet.
  ///
  /// It is the FNV-1a hash of the description, or the next one that is free.
  func unused(for description: String) -> MIDIUniqueID {
    var hash: UInt32 = 2_166_136_261
    for byte in description.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    var number = MIDIUniqueID(bitPattern: hash)
    while number == 0 || owners[number] != nil { number &+= 1 }
    return number
  }

  /// Whose a number is.
  func owner(of number: MIDIUniqueID) -> MIDIObject? { owners[number] }

  /// Gives a number to an object; returns whether it was free.
  mutating func give(_ number: MIDIUniqueID, to object: MIDIObject) -> Bool {
    guard number != 0, owners[number] == nil || owners[number] === object else { return false }
    take(from: object)
    owners[number] = object
    return true
  }

  /// Takes the number of an object back.
  mutating func take(from object: MIDIObject) {
    let number = object.properties.withLock { $0.integer("uniqueID") }
    if let number, owners[number] === object { owners[number] = nil }
  }
}
