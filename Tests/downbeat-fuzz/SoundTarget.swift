// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import ClipPlayback
import Foundation
import MusicalTime
import TestSupport

/// Sound files of every kind that is read, in turn: as they are, as packets, as parts of packets and
/// joined, and as a system sound at another rate.
struct SoundTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds: [SoundSeed]
  private var round = 0
  private var taken: [String: Int] = [:]
  private var refused: [String: Int] = [:]

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    seeds = try SoundSeed.all(in: scene.folder)
  }

  var tally: String {
    let kinds = seeds.map(\.name).map {
      "\($0) \(taken[$0, default: 0])/\(refused[$0, default: 0])"
    }
    let counts = [taken, refused].map { $0.values.reduce(0, +) }
    return "\(counts[0]) taken, \(counts[1]) refused of \(seeds.count) kinds"
      + " (taken/refused: \(kinds.joined(separator: ", ")))"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    let seed = seeds[round % seeds.count]
    round += 1
    var bytes = seed.bytes
    let reach = Bool.random(using: &random) ? 200 : 1500
    if Bool.random(using: &random) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        Mutation.lie(&bytes, near: reach / 2, &random)
      }
    } else {
      Mutation.damage(&bytes, near: reach, &random)
    }
    try scene.keep(bytes)
    do {
      let reader = try SoundFileReader(path: scene.inputPath)
      var frames = 0
      while frames < 20_000 {
        let samples = reader.read(Float.self, frameCount: 1000)
        guard !samples.isEmpty else { break }
        frames += samples.count / reader.clientChannelCount
      }
      _ = reader.locate(to: SampleTime(frames: Int64.random(in: 0...20_000, using: &random)))
      _ = reader.read(Int16.self, frameCount: 100)
      if let packets = reader.packets() { try takeApart(packets, &random) }
      if let rate = SampleRate(hertz: 44_100), round % 4 == 0 {
        _ = try SystemSound(path: scene.inputPath, rate: rate)
      }
      taken[seed.name, default: 0] += 1
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused[seed.name, default: 0] += 1
    }
  }

  /// Writes a part of the packets, and the whole twice.
  private func takeApart(_ packets: PacketReader, _ random: inout SplitMix) throws {
    let codec = packets.formats.first?.codec ?? .aac
    guard let container = PacketFile.containers(for: codec).first else { return }
    let target = scene.folder.appendingPathComponent("part").path
    let from = Int64.random(in: 0...8_000, using: &random)
    if let part = PacketExcerpt(packets, frames: from..<from + 4_000, for: container) {
      _ = try PacketFile.write(part, to: target, as: container)
      let length = try PacketReader(path: target).table.frameCount
      try FuzzFault.unless(length <= 1 << 40, "a part of \(length) frames")
    }
    let join = try PacketJoin([packets, packets], for: container)
    _ = try PacketFile.write(join, to: target, as: container)
    let reader = try SoundFileReader(path: target)
    let isThere = reader.locate(to: SampleTime(frames: join.seams[0].frame))
    _ = isThere ? reader.read(Float.self, frameCount: 1000) : []
  }
}
