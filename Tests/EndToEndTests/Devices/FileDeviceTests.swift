// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// ALSA's devices that need no card, where they fail and come back: a pipe whose reader goes away, a disk
/// that is full.
@Suite(.serialized) struct FileDeviceTests {
  private static let losses =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == nil ? 10 : 100
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `a pipe whose reader goes away again and again costs neither place nor memory`() throws
  {
    let noise = HeardPieces.noise(seconds: 3 * Self.losses)
    _ = try scratch.write("noise.wav", HeardPieces.file(noise))
    // A reader takes half a second, and is gone.
    let script = """
      mkfifo pipe
      "$DB" sound play noise.wav --audio "file:FILE=$PWD/pipe,FORMAT=raw" --on-device-loss wait -q 2> said &
      play=$!
      holds() { echo $(ls /proc/$play/fd | wc -l) $(sed -n 's/VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$play/status); }
      for ((loss = 1; loss <= \(Self.losses); loss++)); do
        head -c 192000 pipe > piece-$loss
        until [ "$(grep -c 'is gone' said)" -ge $loss ]; do sleep 0.05; done
        [ $loss != \(min(10, Self.losses / 2)) ] || holds > before
      done
      holds > after; kill $play; wait $play; cat before after
      """
    let run = try ToolRun(
      ["-c", script], environment: ["DB": ToolRun.command], command: "/bin/bash",
      folder: scratch.url, limit: 60 + 5 * Self.losses)
    let held = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(held.count == 4, "\(run.text)\(run.errors)")
    #expect(held[2] <= held[0], "descriptors: \(run.text)")
    #expect(held[3] - held[1] < 2_048, "KiB: \(run.text)")
    var heard: [Float] = []
    for loss in 1...Self.losses {
      let bytes = [UInt8](try FileContent.data(scratch.path("piece-\(loss)")))
      // Of two channels of 32-bit floats the first.
      heard += stride(from: 0, to: bytes.count - 7, by: 8).map { place in
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })
      }
    }
    let pieces = HeardPieces(of: heard, in: noise)
    #expect(pieces.strangeCount == 0 && pieces.pieces.count == Self.losses, "\(pieces.pieces)")
    // What the pipe and the device's buffer held was lost with the reader.
    #expect(pieces.holes.allSatisfy { (0...12_288).contains($0) }, "\(pieces.holes)")
    print("\(Self.losses) readers: holes \(pieces.holes.max() ?? 0) at most, held \(held)")
  }

  @Test(arguments: ["raw", "wav"])
  func `a full disk behind a file is told of at once, and is not waited for`(format: String) throws
  {
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let run = try ToolRun(
      [
        "play", song, "--audio", "file:FILE=/dev/full,FORMAT=\(format)", "--on-device-loss", "wait",
        "--soundfont", ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path,
        "-q",
      ], limit: 60)
    #expect(run.status == 69 && run.errors.contains("cannot play"), "\(run.errors)")
  }
}
