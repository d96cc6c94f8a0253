// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioProcessing
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import Realtime
import TerminalViews
import TestSupport
import Testing

@testable import CommandOptions
@testable import DownbeatCommand
@testable import PlayerControl
@testable import PlayerViews

/// The displays of `synth` and `record` on terminals of every size.
@Suite struct LivePictureTests {
  private static let sizes = [20, 40, 80, 120, 200].flatMap { columns in
    [1, 5, 24, 60].map { TerminalSize(columns: columns, rows: $0) }
  }
  private let scratch: ScratchFolder
  private let controls: SynthControls

  init() throws {
    scratch = try ScratchFolder()
    let settings = SessionSettings(soundFont: try scratch.write("tiny.sf2", TinySoundFont.bytes))
    controls = SynthControls(
      try LiveInstrument(
        settings, on: NullOutputUnit(format: AudioFormat(rate: .hertz48000, channelCount: 2))),
      named: "keys")
  }

  /// Returns notes on every channel.
  private func events() -> HostEventBuffer {
    var events = HostEventBuffer()
    for channel in Channel.all {
      for message in [
        .program(channel, 40), Message.noteOn(channel, Key(60), velocity: 127),
      ] {
        events.append(
          HostEvent(time: HostTime(nanoseconds: DeadlineWait.now), payload: .message(message)))
      }
    }
    return events
  }

  /// Draws a state at every size, and returns the text at 80 columns and 24 rows.
  private func drawn(_ state: LiveState) -> String {
    for size in Self.sizes {
      let screen = LiveView(state, size).screen
      var terminal = TerminalPicture(columns: size.columns, rows: size.rows)
      terminal.write(ScreenEncoder.bytes(from: nil, to: screen, TerminalAbilities()))
      #expect(terminal.overruns.isEmpty && terminal.unknown.isEmpty, "\(size)")
      #expect(terminal.lines.count == size.rows, "\(size)")
      #expect(terminal.lines.allSatisfy { TextWidth.columns($0) <= size.columns }, "\(size)")
    }
    return LiveView(state, TerminalSize(columns: 80, rows: 24)).screen.text
  }

  @Test func `a synth shows its channels, its settings, and its keys`() throws {
    controls.take(events())
    controls.act(.setMuted(PortChannels(1 << 3), among: .all))
    controls.act(.setTransposition(-2))
    controls.act(.setVolume(-1.5))
    controls.act(.selectChannel(1))
    var state = LiveState()
    state.title = String(repeating: "keys ", count: 60)
    state.message = controls.message
    controls.fill(&state, voices: 3)
    let text = drawn(state)
    for words in ["3 voices", "volume −1.5 dB", "transpose −2", "notes 16", " 4 Violin"] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    #expect(state.channels.count == 16 && state.channels[3].isMuted && !state.channels[3].isHeard)
    #expect(state.selected == 0)
    state.help = SynthControls.help(PlayKeys())
    let help = drawn(state)
    #expect(help.contains("a semitone down, up") && !help.contains("seconds back"), "\(help)")
  }

  /// A device that disappears and returns.
  private final class PassingOutput: OutputUnit {
    private let output = NullOutputUnit(format: AudioFormat(rate: .hertz48000, channelCount: 2))
    var isAway = false
    var format: AudioFormat { output.format }
    var periodFrames: Int { output.periodFrames }
    var latency: Int { output.latency }
    var position: SampleTime { output.position }
    var clock: SampleClock? { output.clock }
    var fault: (any Error)? { output.fault }

    func start(_ plan: RenderPlan, at frame: SampleTime) throws {
      try output.start(plan, at: frame)
    }
    func stop(draining: Bool) { output.stop(draining: draining) }
  }

  @Test func `a song shows that its device is gone, and that it is back`() throws {
    let song = try SMFReader().read(SongBytes.notes(100, every: 480)).sequences[0]
    let session = try Session(
      song, settings: SessionSettings(soundFont: scratch.path("tiny.sf2")))
    let output = PassingOutput()
    let playback = try session.play(on: output)
    defer { playback.end(draining: false) }
    let controls = PlayControls(
      playback, session, try SongOutline(song, named: "song.mid"), speed: 1,
      transposition: 0, loop: nil, SongQueue([SongEntry(path: "song.mid")]))
    let picture = PlayPicture(controls: controls, xrunCount: { 0 }, syncName: "", meters: nil)
    for isAway in [false, true, false] {
      output.isAway = isAway
      let state = picture.state(PlayKeys(), LiveParts(), load: "")
      let text = drawn(state)
      #expect(
        text.contains("device gone") == isAway && text.contains("waiting") == isAway, "\(text)")
      #expect(text.contains("song.mid") && text.contains("tempo 120.0"), "\(text)")
    }
  }

  @Test func `the facts of a song count events as info does`() throws {
    let song = try SMFReader().read(SongBytes.notes(100, every: 480)).sequences[0]
    let facts = try SongOutline(song, named: "song.mid").facts
    #expect(facts.contains(SongOutline.Fact("notes", "100")), "\(facts)")
    // A program, 100 note-ons and note-offs, and the end of track.
    #expect(facts.contains(SongOutline.Fact("events", "202")), "\(facts)")
  }

  @Test func `a recording shows its length, its events and their channels`() {
    var activity = PortActivity()
    var state = LiveState()
    LiveRecord.fill(&state, activity, nil, count: 0)
    #expect(state.mode == .waiting && drawn(state).contains("waiting"))
    activity.take(events())
    LiveRecord.fill(&state, activity, 83_000_000_000, count: 32)
    state.time += " / 3:00"
    let text = drawn(state)
    for words in ["● 1:23 / 3:00", "recording", "notes 16", "events 32", "16 Violin"] {
      #expect(text.contains(words), "\(words): \(text)")
    }
  }
}
