// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontInstruments

/// An instrument node that plays MIDI events with Downbeat's synthesiser.
///
/// The instrument plays the soundfont that the `downbeat` command would choose; if none is found,
/// it is silent. An event takes effect at the next multiple of 64 frames. Program changes,
/// controllers, pitch bends and pressure are remembered and apply again when the engine is
/// restarted. Channels are 0…15 and data bytes 0…127; higher bits are ignored.
///
/// - Note: Any thread.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  let line = InstrumentLine()
  let player: InstrumentNodePlayer

  /// Creates an instrument node.
  ///
  /// - Parameter description: The component description. Every description results in a synthesiser
  ///   that plays soundfonts.
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
  ///   - note: The key, 0…127.
  ///   - velocity: The velocity, 0…127; 0 releases the note.
  ///   - channel: The channel, 0…15.
  open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
    send(0x90, channel, note, velocity)
  }

  /// Releases a note.
  ///
  /// - Parameters:
  ///   - note: The key, 0…127.
  ///   - channel: The channel, 0…15.
  open func stopNote(_ note: UInt8, onChannel channel: UInt8) { send(0x80, channel, note, 64) }

  /// Sets the value of a controller.
  ///
  /// - Parameters:
  ///   - controller: The number of the controller, 0…127.
  ///   - value: The value, 0…127.
  ///   - channel: The channel, 0…15.
  open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send(0xB0, channel, controller, value)
  }

  /// Sets the pitch bend of a channel.
  ///
  /// - Parameters:
  ///   - pitchbend: The value, 0…16,383; 8192 is the centre position.
  ///   - channel: The channel, 0…15.
  open func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
    send(0xE0, channel, UInt8(pitchbend & 127), UInt8(pitchbend >> 7 & 127))
  }

  /// Sets the pressure (aftertouch) of a channel.
  ///
  /// - Parameters:
  ///   - pressure: The pressure, 0…127.
  ///   - channel: The channel, 0…15.
  open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
    send(0xD0, channel, pressure)
  }

  /// Sets the pressure (polyphonic aftertouch) of a key.
  ///
  /// - Parameters:
  ///   - key: The key, 0…127.
  ///   - value: The pressure, 0…127.
  ///   - channel: The channel, 0…15.
  open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send(0xA0, channel, key, value)
  }

  /// Selects a program in the current bank of a channel.
  ///
  /// - Parameters:
  ///   - program: The program, 0…127.
  ///   - channel: The channel, 0…15.
  open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
    send(0xC0, channel, program)
  }

  /// Selects a bank and a program for a channel.
  ///
  /// - Parameters:
  ///   - program: The program, 0…127.
  ///   - bankMSB: The upper 7 bits of the bank number (controller 0).
  ///   - bankLSB: The lower 7 bits of the bank number (controller 32).
  ///   - channel: The channel, 0…15.
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
  ///   - midiStatus: The status byte, 0x80…0xEF. A message with any other status is ignored.
  ///   - data1: The first data byte, 0…127.
  ///   - data2: The second data byte, 0…127.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
    guard (0x80..<0xF0).contains(midiStatus) else { return }
    send(midiStatus & 0xF0, midiStatus, data1, data2)
  }

  /// Sends a MIDI message of two bytes.
  ///
  /// - Parameters:
  ///   - midiStatus: The status byte, 0xC0…0xDF. A message with any other status is ignored.
  ///   - data1: The data byte, 0…127.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) {
    guard (0xC0..<0xE0).contains(midiStatus) else { return }
    send(midiStatus & 0xF0, midiStatus, data1)
  }

  /// Sends a SysEx message.
  ///
  /// - Parameter midiData: The message, which must start with F0; data that does not is ignored.
  open func sendMIDISysExEvent(_ midiData: Data) {
    guard midiData.first == 0xF0 else { return }
    line.send(sysEx: midiData.dropFirst().filter { $0 < 0x80 })
  }

  /// Stops all sound immediately.
  ///
  /// Programs and controllers do not change.
  override open func reset() {
    // All Sound Off.
    for channel in UInt8(0)..<16 { send(0xB0, channel, 120) }
  }
}
