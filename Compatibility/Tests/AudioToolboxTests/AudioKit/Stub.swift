// SPDX-License-Identifier: Apache-2.0
// What AudioKit's sequencer needs of the rest of AudioKit; a test compiles it with those sources.

/// A byte of a message.
public typealias MIDIByte = UInt8
/// Two of them.
public typealias MIDIWord = UInt16
/// A key number.
public typealias MIDINoteNumber = UInt8
/// How hard a key is struck.
public typealias MIDIVelocity = UInt8
/// A channel, from 0.
public typealias MIDIChannel = UInt8

/// What AudioKit is set to.
public enum Settings {
  /// Samples a second.
  public static let sampleRate = 44_100.0
}

/// Tells nobody.
public func Log(_ items: Any?...) {}
