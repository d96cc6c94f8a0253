// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontInstruments

/// An instrument that plays MIDI events with Downbeat's own voices.
///
/// It plays the soundfont that `downbeat` finds; without one it is silent. Events that a program
/// sends sound at the next multiple of 64 frames. Programs, controllers and pitch bends also count
/// for the next start of the engine. Channels are 0…15 and data bytes 0…127; higher bits are ignored.
///
/// - Note: Any thread.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  let line = InstrumentLine()
  let player: InstrumentNodePlayer

  /// Creates an instrument.
  ///
  /// - Parameter description: The type; every type is a synthesiser with a soundfont.
  public init(audioComponentDescription description: AudioComponentDescription) {
    player = InstrumentNodePlayer(line, hasEffects: true)
    super.init(description)
  }

  override init(_ component: UnitComponent) {
    player = InstrumentNodePlayer(line, hasEffects: component != .sampler)
    super.init(component)
  }

  override var eventSink: (any EventSink<ReferenceTime> & Sendable)? { line }

  override func unitChannelCount(_ format: AVAudioFormat?) -> Int { 2 }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    player.makeUnit(shape.rate)
  }

  private func send(_ status: UInt8, _ channel: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
    line.send(Message(status: status | channel & 15, data1: data1 & 127, data2: data2 & 127))
  }

  /// Starts a note.
  ///
  /// - Parameters:
  ///   - note: The key.
  ///   - velocity: The velocity; 0 ends the note.
  ///   - channel: The channel.
  open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
    send(0x90, channel, note, velocity)
  }

  /// Ends a note.
  ///
  /// - Parameters:
  ///   - note: The key.
  ///   - channel: The channel.
  open func stopNote(_ note: UInt8, onChannel channel: UInt8) { send(0x80, channel, note, 64) }

  /// Sets a controller.
  ///
  /// - Parameters:
  ///   - controller: The number of the controller.
  ///   - value: The value.
  ///   - channel: The channel.
  open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send(0xB0, channel, controller, value)
  }

  /// Sets the pitch bend.
  ///
  /// - Parameters:
  ///   - pitchbend: The value, 0…16,383; 8192 for the pitch of the key.
  ///   - channel: The channel.
  open func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
    send(0xE0, channel, UInt8(pitchbend & 127), UInt8(pitchbend >> 7 & 127))
  }

  /// Sets the pressure of a channel.
  ///
  /// - Parameters:
  ///   - pressure: The pressure.
  ///   - channel: The channel.
  open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
    send(0xD0, channel, pressure)
  }

  /// Sets the pressure of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The pressure.
  ///   - channel: The channel.
  open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send(0xA0, channel, key, value)
  }

  /// Selects a program of the present bank.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - channel: The channel.
  open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
    send(0xC0, channel, program)
  }

  /// Selects a bank and a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - bankMSB: The upper byte of the bank.
  ///   - bankLSB: The lower byte of the bank.
  ///   - channel: The channel.
  open func sendProgramChange(
    _ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8
  ) {
    send(0xB0, channel, 0, bankMSB)
    send(0xB0, channel, 32, bankLSB)
    send(0xC0, channel, program)
  }

  /// Sends a MIDI message of three bytes.
  ///
  /// - Parameters:
  ///   - midiStatus: The status byte, 0x80…0xEF; others are ignored.
  ///   - data1: The first data byte.
  ///   - data2: The second data byte.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
    guard (0x80..<0xF0).contains(midiStatus) else { return }
    send(midiStatus & 0xF0, midiStatus, data1, data2)
  }

  /// Sends a MIDI message of two bytes.
  ///
  /// - Parameters:
  ///   - midiStatus: The status byte, 0xC0…0xDF; others are ignored.
  ///   - data1: The data byte.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) {
    guard (0xC0..<0xE0).contains(midiStatus) else { return }
    send(midiStatus & 0xF0, midiStatus, data1)
  }

  /// Sends a SysEx message.
  ///
  /// - Parameter midiData: The bytes, F0 first; other bytes are ignored.
  open func sendMIDISysExEvent(_ midiData: Data) {
    guard midiData.first == 0xF0 else { return }
    line.send(sysEx: midiData.dropFirst().filter { $0 < 0x80 })
  }

  /// Ends all sounds; programs and controllers stay.
  override open func reset() {
    // All Sound Off.
    for channel in UInt8(0)..<16 { send(0xB0, channel, 120) }
  }
}
