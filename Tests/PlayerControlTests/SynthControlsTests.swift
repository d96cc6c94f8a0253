// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import Foundation
import JSONText
import MIDIMessages
import MusicSequences
import MusicalTime
import Realtime
import TestSupport
import Testing

@testable import PlayerControl

/// A synth that is controlled, with a silent output.
@Suite struct SynthControlsTests {
  private let scratch: ScratchFolder
  private let instrument: LiveInstrument
  private let controls: SynthControls

  init() throws {
    scratch = try ScratchFolder()
    let settings = SessionSettings(
      soundFont: try scratch.write("tiny.sf2", TinySoundFont.bytes), hasReverb: false,
      hasChorus: false)
    instrument = try LiveInstrument(
      settings, on: NullOutputUnit(format: AudioFormat(rate: .hertz48000, channelCount: 2)))
    controls = SynthControls(instrument, named: "keys")
  }

  /// Waits until a condition is true, for at most ten seconds.
  private func until(_ what: String, _ holds: (PlayStatus) -> Bool) throws {
    for _ in 0..<1000 {
      if holds(controls.status) { return }
      usleep(10_000)
    }
    Issue.record("\(what): \(controls.status)")
  }

  private func play(_ message: Message) throws {
    var events = HostEventBuffer()
    events.append(
      HostEvent(time: HostTime(nanoseconds: DeadlineWait.now), payload: .message(message)))
    try instrument.play(events)
    controls.take(events)
  }

  private func strike(_ channel: UInt8) throws {
    try play(.noteOn(Channel(index: channel), Key(69), velocity: 100))
  }

  private func execute(_ words: String...) throws {
    let values = words.dropFirst().map { JSONValue.text($0) }
    guard case .perform(let command) = try ControlRequest.action(words[0], Array(values)) else {
      throw ControlError(.usage, "\(words) does nothing")
    }
    try controls.execute(command)
  }

  @Test func `commands are performed and audible`() throws {
    try strike(0)
    // The meter rises to −24.4 dB. A value before that must not be compared with later ones.
    try until("a voice sounds") { $0.voices == 1 && ($0.level?[0] ?? -120) > -27 }
    let loud = controls.status.level?[0] ?? 0
    try execute("volume", "-20dB")
    #expect(controls.status.volume == -20 && controls.message == "volume −20 dB")
    try until("it is softer") { ($0.level?[0] ?? 0) < loud - 15 }
    try execute("louder")
    try execute("softer")
    #expect(controls.status.volume == -20)
    try execute("transpose", "-3")
    try execute("higher")
    try execute("lower")
    #expect(controls.status.transposition == -3 && instrument.transposition == -3)
    try execute("panic")
    try until("silence") { $0.voices == 0 }
  }

  @Test func `muted and unsoloed channels are silenced and stay silent`() throws {
    try strike(0)
    try strike(1)
    try until("two voices") { $0.voices == 2 }
    try execute("mute", "1")
    try until("one is left") { $0.voices == 1 }
    try strike(0)
    try execute("solo", "1")
    try until("neither is heard") { $0.voices == 0 }
    #expect(controls.status.muted == [0] && controls.status.soloed == [0])
    try execute("hear-all")
    try strike(0)
    try strike(1)
    try until("both again") { $0.voices == 2 }
  }

  @Test func `a channel's program is changed by number and by name`() throws {
    try execute("program", "3", "41")
    #expect(controls.status.programs?[2] == 40 && controls.message == "channel 3: 41 Violin")
    try execute("program", "1", "violin")
    #expect(controls.status.programs?[0] == 40)
    for words in [["1-2", "1"], ["17", "1"], ["1", "129"], ["1", "nothing"]] {
      #expect(throws: ControlError.self) {
        try ControlRequest.action("program", words.map { .text($0) })
      }
    }
  }

  @Test func `an unsupported command is refused with a list of supported ones`() throws {
    // The commands that every player answers.
    let common: [ControlVerb] = [.status, .get, .set, .observe, .unobserve, .list]
    for verb in ControlVerb.allCases where !(SynthControls.verbs + common).contains(verb) {
      let words: [ControlVerb: [String]] = [
        .seek: ["1:30"], .bars: ["1"], .marker: ["1"], .go: ["1"], .speed: ["2"],
        .loop: ["1", "2"], .tempo: ["97.5"],
      ]
      let values = (words[verb] ?? []).map { JSONValue.text($0) }
      guard case .perform(let command) = try ControlRequest.action(verb.rawValue, values) else {
        Issue.record("\(verb) is nothing to be performed")
        continue
      }
      #expect(throws: ControlError.self) { try controls.execute(command) }
      #expect(
        controls.message
          == "\(verb.rawValue): not available for a synth (available: transpose, higher, lower,"
          + " volume, louder, softer, mute, unmute, solo, unsolo, hear-all, program, panic, quit)")
    }
    controls.act(.togglePause)
    #expect(controls.message.hasPrefix("toggle: ") && !controls.hasEnded)
    try execute("quit")
    #expect(controls.hasEnded)
  }

  @Test func `Tab selects among the channels that were played`() throws {
    controls.act(.selectChannel(1))
    #expect(controls.message == "no events received yet")
    for channel: UInt8 in [9, 2] { try strike(channel) }
    controls.act(.toggleMute)
    #expect(controls.message.contains("Tab"))
    controls.act(.selectChannel(1))
    controls.act(.toggleMute)
    controls.act(.selectChannel(1))
    controls.act(.toggleSolo)
    #expect(controls.channels.muted == PortChannels(indices: [2]))
    #expect(controls.channels.soloed == PortChannels(indices: [9]))
    controls.act(.selectChannel(1))
    #expect(controls.selected == 2)
  }
}
