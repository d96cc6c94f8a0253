// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import Glibc
import MusicalTime
import TestSupport
import Testing

@testable import SoundStreaming

/// Pipes to which another thread writes.
@Suite(.enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct PipeTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A pipe to which bytes are written; it is closed after them unless the test keeps it open.
  private final class Filled: Sendable {
    let (output, input): (Int32, Int32)

    init(_ bytes: [UInt8], isClosed: Bool = true) {
      var ends: [Int32] = [0, 0]
      unsafe pipe(&ends)
      (output, input) = (ends[0], ends[1])
      let input = input
      Thread.detachNewThread {
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = Array(rest.prefix(4096))
          guard unsafe write(input, part, part.count) == part.count else { break }
          rest = rest.dropFirst(part.count)
        }
        if isClosed { close(input) }
      }
    }

    deinit { close(output) }
  }

  private func read(_ bytes: [UInt8], _ name: String) throws -> [Float] {
    let path = try folder.write(name, bytes)
    let client = ClientFormat(rate: .hertz44100, channelCount: 2, quality: .high)
    let samples = try SoundFileReader(path: path, client: client).read(frameCount: 10_000_000)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test func `a pipe plays while it is open`() async throws {
    let pipe = Filled(try StreamBytes.mp3(seconds: 4), isClosed: false)
    let rig = try StreamRig([.pipe(descriptor: pipe.output, name: "input")])
    try await rig.playToEnd(upTo: 3 * 44_100)
    #expect(rig.samples.count >= 3 * 44_100 && rig.samples.contains { abs($0) > 0.1 })
    rig.player.stop()
    close(pipe.input)
  }

  @Test func `a pipe plays to its last sample`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 4)
    let pipe = Filled(bytes)
    let rig = try StreamRig([.pipe(descriptor: pipe.output, name: "input")])
    try await rig.playToEnd()
    #expect(HLSPlayTests.isSame(rig.samples, try read(bytes, "a.mp3")))
    #expect(rig.words == ["playing 0 MP3, 44100 Hz, 1 channel", "ended 0"])
  }

  @Test func `a part of a pipe plays`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 4)
    let pipe = Filled(bytes)
    var settings = StreamRig.patient
    (settings.start, settings.end) = (.frames(44_100), .frames(88_200))
    let rig = try StreamRig(
      [.pipe(descriptor: pipe.output, name: "input")], settings: settings)
    try await rig.playToEnd()
    let expected = Array(try read(bytes, "a.mp3")[44_100..<88_200])
    #expect(HLSPlayTests.isSame(rig.samples, expected))
  }

  @Test func `a pipe in another format is read completely first`() async throws {
    let bytes = try StreamBytes.tone("mka", seconds: 2, "-c:a", "flac")
    let pipe = Filled(bytes)
    let rig = try StreamRig([.pipe(descriptor: pipe.output, name: "input")])
    try await rig.playToEnd()
    #expect(HLSPlayTests.isSame(rig.samples, try read(bytes, "a.mka")), "\(rig.words)")
  }

  @Test func `a named pipe plays while it is written`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 2)
    let path = folder.path("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      let descriptor = unsafe open(path, O_WRONLY)
      unsafe _ = write(descriptor, bytes, bytes.count)
      close(descriptor)
    }
    let rig = try StreamRig([.file(path: path)])
    try await rig.playToEnd()
    #expect(HLSPlayTests.isSame(rig.samples, try read(bytes, "a.mp3")))
  }

  @Test func `a player that stops does not wait for an empty pipe`() async throws {
    let pipe = Filled([], isClosed: false)
    let rig = try StreamRig([.pipe(descriptor: pipe.output, name: "input")])
    rig.player.start()
    rig.player.stop()
    for _ in 0..<3000 where !rig.player.isFed { try await Task.sleep(for: .milliseconds(10)) }
    #expect(rig.player.isFed)
    close(pipe.input)
  }

  @Test(arguments: ["", "no sound at all"])
  func `a pipe without sound is refused with a message`(text: String) async throws {
    let pipe = Filled(Array(text.utf8))
    let rig = try StreamRig([.pipe(descriptor: pipe.output, name: "input")])
    try await rig.playToEnd()
    #expect(rig.words.contains { $0.hasPrefix("failed 0 input: not a readable sound file") })
  }
}
