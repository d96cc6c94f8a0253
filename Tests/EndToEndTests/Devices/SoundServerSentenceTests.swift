// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What a person is told who names a server, one of its ports or a device, and whose server is lost.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerSentenceTests {
  private let scratch: ScratchFolder
  private let server: TestSoundServer
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
  private let song = ToolRun.packageFolder.appendingPathComponent("Songs/rag.mid").path
  /// Words that play a second of a song, without the device.
  private let play =
    "\"$DB\" play Songs/groove.mid --to 1s --soundfont Soundfonts/Downbeat.sf2 --audio"

  init() async throws {
    scratch = try ScratchFolder()
    server = try await TestSoundServer(.jack, period: 256)
  }

  @Test(arguments: [
    ("pipewire", 69, "PipeWire: not running", "or use jack, which is running"),
    (
      "jack:missing", 69, "jack:missing: no suitable client or port of that name",
      "(available: system)"
    ),
    (
      "jack:system:playback_9", 69, "no suitable client or port",
      "system:playback_1, system:playback_2"
    ),
    ("nix", 69, "nix: no such sound device", "(available: jack, "),
    ("jack --route 2=3", 64, "--route 2=3: must be two channels", "(try 3,4)"),
  ])
  func `who names what is not there is told what is`(
    words: String, status: Int, what: String, next: String
  ) throws {
    let run = try server.run("\(play) \(words)")
    #expect(run.status == Int32(status), "\(run.errors)")
    #expect(run.errors.contains(what) && run.errors.contains(next), "\(run.errors)")
  }

  @Test func `who asks JACK for other turns than it has is told, once for all songs`() throws {
    let run = try server.run("\(play) jack --period 128 --periods 2 Songs/rag.mid")
    #expect(run.status == 0, "\(run.errors)")
    for sentence in [
      "--period 128: JACK has a period of 256 frames (try jackd -p 128)",
      "--periods 2: ignored, because JACK has its own buffers",
    ] {
      #expect(run.errors.components(separatedBy: sentence).count == 2, "\(run.errors)")
    }
  }

  @Test func `alsa is ALSA's default, beside a server that runs too`() throws {
    let card = try scratch.write(
      "asound.conf", Array("pcm.!default { type null hint { show on } }\n".utf8))
    let run = try server.run("ALSA_CONFIG_PATH='\(card)' \(play) alsa -v")
    #expect(
      run.status == 0 && run.errors.contains("playing on default: as requested"), "\(run.errors)")
  }

  @Test func `a take is of the server that runs, where no device is named`() throws {
    let take = scratch.path("take.wav")
    let run = try server.run("\"$DB\" sound record -o '\(take)' --length 0.5s --json")
    #expect(run.status == 0 && run.text.contains("\"device\":\"jack\""), "\(run.text)\(run.errors)")
    let watch = try server.run("\"$DB\" ltc watch --for 0.2s")
    #expect(watch.status == 0, "\(watch.errors)")
  }

  /// Runs the command on a server that ends once there are ports.
  ///
  /// All of it is one script: a test that waits in a thread keeps others from theirs.
  ///
  /// - Parameters:
  ///   - words: what the command is to do.
  ///   - rate: at which another server starts then; nil for none.
  /// - Returns: what came of it.
  /// - Throws: where it cannot be run.
  private func lose(_ words: String, rate: Int? = nil) throws -> ToolRun {
    server.end(by: SIGTERM)
    let again = rate.map { "start \($0)" } ?? ""
    return try server.run(
      """
      cd '\(scratch.path("."))'
      start() { # RATE
        jackd -r -n $JACK_DEFAULT_SERVER -d dummy -r $1 -p 256 > /dev/null 2>&1 & server=$!
        until [ -S /dev/shm/jack_${JACK_DEFAULT_SERVER}_$(id -u)_0 ]; do sleep 0.1; done
      }
      start 48000
      "$DB" \(words) & job=$!
      until jack_lsp 2>/dev/null | grep -q downbeat:; do sleep 0.1; done; sleep 0.5
      kill $server; wait $server
      \(again)
      wait $job
      """, limit: 60)
  }

  @Test func `a song that is to stop without its server does so`() throws {
    let run = try lose("play '\(song)' --soundfont '\(font)' --audio jack --on-device-loss stop")
    #expect(run.status == 74 && run.errors.contains("the sound device is gone"), "\(run.errors)")
  }

  @Test func `a take ends with its server at once, and keeps what it has`() throws {
    let began = ContinuousClock.now
    let run = try lose("sound record -o take.wav --audio jack --length 60s")
    #expect(run.status == 74 && run.errors.contains("the sound device is gone"), "\(run.errors)")
    #expect(run.errors.contains("frames recorded before"), "\(run.errors)")
    #expect(ContinuousClock.now - began < .seconds(25))
    #expect(FileManager.default.fileExists(atPath: scratch.path("take.wav")))
  }

  @Test func `a server that is back at another rate ends the song, and that is told`() throws {
    let run = try lose(
      "play '\(song)' --soundfont '\(font)' --audio jack --on-device-loss wait", rate: 44_100)
    #expect(run.status == 74, "\(run.errors)")
    #expect(
      run.errors.contains("JACK: restarted at 44100 Hz instead of 48000 Hz"), "\(run.errors)")
  }
}
