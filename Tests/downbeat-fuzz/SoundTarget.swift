// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import ClipPlayback
import Foundation
import MusicalTime
import TestSupport

/// Sound files of every format: read as they are, and as a system sound at another rate.
struct SoundTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds: [[UInt8]]
  private var (taken, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    let samples = (0..<2000).map { Float(sin(Double($0) / 20)) }
    let path = scene.folder.appendingPathComponent("whole").path
    seeds = try SoundFileFormat.Container.allCases.flatMap { container in
      try container.encodings.map { encoding in
        let writer = try SoundFileWriter(
          path: path, format: SoundFileFormat(container, encoding), channelCount: 1, rate: rate)
        try writer.write(samples.span)
        try writer.finish()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try FileManager.default.removeItem(atPath: path)
        return bytes
      }
    }
  }

  var tally: String { "\(taken) taken, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = seeds.randomElement(using: &random) ?? []
    Mutation.damage(&bytes, near: 200, &random)
    try scene.keep(bytes)
    do {
      let reader = try SoundFileReader(path: scene.inputPath)
      var frames = 0
      while frames < 20_000 {
        let samples = reader.read(Float.self, frameCount: 1000)
        guard !samples.isEmpty else { break }
        frames += samples.count / reader.clientChannelCount
      }
      if let rate = SampleRate(hertz: 44_100) {
        _ = try SystemSound(path: scene.inputPath, rate: rate)
      }
      taken += 1
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
  }
}
