// SPDX-License-Identifier: Apache-2.0
// The declarations of AudioKit that its sequencer needs; a test compiles this file with its
// sources.

/// A byte of a message.
public typealias MIDIByte = UInt8
/// Two bytes of a message.
public typealias MIDIWord = UInt16
/// A key number.
public typealias MIDINoteNumber = UInt8
/// The velocity of a note.
public typealias MIDIVelocity = UInt8
/// A channel, from 0.
public typealias MIDIChannel = UInt8

/// The settings of AudioKit.
public enum Settings {
  /// The sample rate in hertz.
  public static let sampleRate = 44_100.0
}

/// Ignores a log message.
public func Log(_ items: Any?...) {}
