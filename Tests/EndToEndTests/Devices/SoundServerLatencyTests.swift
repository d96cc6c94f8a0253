// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// How long a round is from our output to our input, as it is measured and as it is reported, on servers
/// of their own.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerLatencyTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  /// Servers and the frames of their turns.
  private static let turns: [(TestSoundServer.Kind, Int)] =
    [(.jack, 64), (.jack, 1_000), (.pipewire, 1_024)]
    + (isLong
      ? [(.jack, 128), (.jack, 256), (.jack, 1_024), (.pipewire, 256), (.pipewire, 1_000)] : [])
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  /// The samples of a WAVE file of 32-bit floats.
  private func samples(_ path: String) throws -> [Float] {
    let bytes = [UInt8](try FileContent.data(path))
    let start = try #require(
      (12..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(Array("data".utf8)) })
    return stride(from: start + 8, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })
    }
  }

  /// What `JACKProbe` plays: it is worked out here again.
  private static let noise: [Float] = {
    var state: UInt32 = 1
    return [0.5]
      + (1..<4_800).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state) >> 8) / 67_108_864
      }
  }()

  /// A way from the probe's output to its input.
  enum Way: String, CaseIterable {
    case direct
    /// Also to a card, which is heard later.
    case besideCard
    /// By a client that gives on what it hears 1,024 frames later, and says so.
    case late
    /// By our own synthesiser, which mixes in what it hears.
    case played

    /// What connects it; `$late` is to be ended.
    func script(_ font: String) -> String {
      switch self {
      case .direct: "jack_connect probe:out_1 probe:in_1"
      case .besideCard:
        """
        jack_connect probe:out_1 probe:in_1
        jack_connect probe:out_1 system:playback_1
        """
      case .late:
        """
        jack_latent_client > /dev/null 2>&1 & late=$!
        until jack_lsp -c 2>/dev/null | grep -q '^   latent:output'; do sleep 0.1; done
        jack_disconnect latent:output system:playback_1
        jack_disconnect system:capture_1 latent:input
        jack_connect probe:out_1 latent:input
        jack_connect latent:output probe:in_1
        """
      case .played:
        """
        "$DB" synth --name jack:organ --audio jack:none --input jack:none --soundfont '\(font)' -q & late=$!
        until jack_lsp 2>/dev/null | grep -q downbeat:in_2; do sleep 0.1; done
        jack_connect probe:out_1 downbeat:in_1
        jack_connect probe:out_1 downbeat:in_2
        jack_connect downbeat:out_1 probe:in_1
        """
      }
    }

    /// What it takes beside the turn that every way back takes.
    var frames: Int {
      switch self {
      case .direct, .besideCard: 0
      case .late: 1_024
      case .played: 128
      }
    }
  }

  @Test(arguments: turns, Way.allCases)
  func `what we play into ourselves is recorded where it was played, and the round is as reported`(
    turn: (kind: TestSoundServer.Kind, period: Int), way: Way
  ) async throws {
    // PipeWire has no card here, and carries nothing from a client straight to itself (0.3.65).
    guard turn.kind == .jack || way == .played else { return }
    // A patient server stands still for seconds where a program is ended by a signal.
    let server = try await TestSoundServer(
      turn.kind, period: turn.period, isPatient: way != .played)
    var tries: [String] = []
    for _ in 0..<6 {
      let run = try server.run(
        """
        cd '\(scratch.path("."))'; rm -f go heard.wav; mkfifo go
        '\(ToolRun.program("TestProbe"))' jack heard.wav < go > said & probe=$!
        exec 3> go
        until jack_lsp 2>/dev/null | grep -q probe:out_1; do sleep 0.1; done
        \(way.script(font))
        sleep 1; echo >&3; wait $probe; cat said
        [ -z "$late" ] || { kill $late; wait $late; }
        """)
      let heard = try samples(scratch.path("heard.wav"))
      let parts = run.text.firstMatch(of: #/output (-?\d+) input (-?\d+)/#)
      let sum = parts.flatMap { part in Int(part.1).flatMap { out in Int(part.2).map { out + $0 } }
      }
      // The frame of the file at which the noise is due, and all of it.
      // Bit for bit, but for what a synthesiser adds that has nothing to play.
      let most: Float = way == .played ? 1e-6 : 0
      let due = [Float](repeating: 0, count: 1_000) + Self.noise
      if heard.count >= due.count, zip(heard, due).allSatisfy({ abs($0 - $1) <= most }),
        sum == turn.period + way.frames
      {
        return
      }
      let first = heard.firstIndex { $0 != 0 } ?? -1
      tries.append("first at \(first), \(run.text)\(run.errors)")
    }
    Issue.record("\(tries)")
  }

  /// What `jack_iodelay` measures of a round through our ports is what they report, and the turn that
  /// every round takes.
  @Test(arguments: turns)
  func `what comes in leaves as much later as our ports say`(
    kind: TestSoundServer.Kind, period: Int
  ) async throws {
    // Not patient: the tool does not take its leave, for which such a server waits.
    let server = try await TestSoundServer(kind, period: period)
    let run = try server.run(
      """
      cd '\(scratch.path("."))'
      "$DB" synth --name jack:organ --audio jack:none --input jack:none --soundfont '\(font)' -q &
      synth=$!
      until jack_lsp 2>/dev/null | grep -q downbeat:in_2; do sleep 0.1; done
      until jack_lsp 2>/dev/null | grep -q downbeat:out_2; do sleep 0.1; done
      # Begun before there is anything to hear, the tool may hear nothing for as long as it runs.
      stdbuf -oL jack_iodelay > delay & tool=$!
      until jack_lsp 2>/dev/null | grep -q jack_delay:in; do sleep 0.1; done
      jack_connect jack_delay:out downbeat:in_1; jack_connect jack_delay:out downbeat:in_2
      jack_connect downbeat:out_1 jack_delay:in
      # The second that comes once all is connected is of that way alone.
      measured() {
        sleep 1; known=$(grep -c total delay)
        until [ $(grep -c total delay) -ge $((known + 2)) ]; do sleep 0.1; done
        grep total delay | tail -n 1 | sed 's/ frames.*//'
      }
      echo "round" $(measured)
      jack_lsp -l | awk '/^downbeat:/ { port = $1 } /playback lat/ { played = $6 }
        /capture lat/ && port { print port, played, $6; port = "" }'
      kill $synth; wait $synth; kill $tool; wait $tool
      """)
    let round = try #require(
      run.text.firstMatch(of: #/round ([0-9.]+)/#).flatMap { Double($0.1) },
      "\(run.text)\(run.errors)")
    // The tool measures phases: a thousandth of a frame is its own.
    #expect(abs(round - Double(period + 128)) < 0.01, "\(run.text)")
    // A quantum, and the limiter's 64 frames.
    for line in ["out_1 0 128", "out_2 0 128", "in_1 128 0", "in_2 128 0"] {
      #expect(run.text.contains("downbeat:\(line)\n"), "\(run.text)")
    }
  }
}
