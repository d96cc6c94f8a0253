// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CMySofa
import Glibc
import MusicalTime
import SpatialResponses
import TestSupport
import Testing

/// A scene with MIT's KEMAR agrees with libmysofa, and invalid files are refused.
@Suite struct SOFATests {
  static let path = HeadResponses.installedSOFAFile
  static let isThere = unsafe cmysofa_table() != nil && readable(path)
  static let reason: Comment = "libmysofa1 is not installed (make setup-test)"

  private static func readable(_ path: String) -> Bool {
    guard let file = unsafe fopen(path, "rb") else { return false }
    unsafe fclose(file)
    return true
  }

  /// Read once, because it takes a while.
  static let head = Result { try HeadResponses(sofaFile: path, rate: Rate.studio) }

  /// The responses that libmysofa returns for a direction.
  @safe
  private final class Witness: @unchecked Sendable {
    private let table: UnsafePointer<CMySofaTable>
    private let file: OpaquePointer
    let count: Int

    init?() {
      var taps: Int32 = 0
      var code: Int32 = 0
      guard let table = unsafe cmysofa_table(),
        let file = unsafe table.pointee.open(SOFATests.path, 48_000, &taps, &code)
      else { return nil }
      unsafe self.table = table
      unsafe self.file = file
      count = Int(taps)
    }

    func ears(_ azimuth: Double, _ elevation: Double) -> [[Float]] {
      let (across, height) = (azimuth * .pi / 180, elevation * .pi / 180)
      var left = [Float](repeating: 0, count: count)
      var right = left
      var delays: (Float, Float) = (0, 0)
      unsafe table.pointee.getfilter_float(
        file, Float(cos(height) * cos(across)), -Float(cos(height) * sin(across)),
        Float(sin(height)), &left, &right, &delays.0, &delays.1)
      return delays == (0, 0) ? [left, right] : []
    }
  }

  private static let witness = Witness()

  private struct Place {
    let azimuth: Float
    var elevation: Float = 0
  }

  /// The scene's output for clicks in some directions, 640 frames apart.
  private func heard(_ places: [Place]) throws -> [[[Float]]] {
    let scene = SceneUnit(
      sourceCount: places.count, output: .headphones(try Self.head.get()), rate: Rate.studio)
    let clicks = places.indices.map { LateClickUnit(frame: Int64($0) * 640) }
    let rig = try SceneRig(scene, clicks)
    for (source, place) in places.enumerated() {
      let first = source * SceneUnit.Setting.allCases.count
      try scene.parameters.set(first, to: place.azimuth, over: 0)
      try scene.parameters.set(first + 1, to: place.elevation, over: 0)
    }
    return places.map { _ in rig.render(quanta: 10) }
  }

  private func energy(_ samples: [Float]) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }

  @Test(.enabled(if: isThere, reason))
  func `in 36 directions impulse, delay and level are those of the file`() throws {
    let witness = try #require(Self.witness)
    let places = (0..<36).map { number in
      Place(
        azimuth: Float(number * 10), elevation: [0, 10, -20, 40, -40, 90][number % 6])
    }
    for (place, ours) in zip(places, try heard(places)) {
      let theirs = witness.ears(Double(place.azimuth), Double(place.elevation))
      for (our, their) in zip(ours, theirs) {
        let top = their.peak
        #expect(their.count == 558 && our.count == 640)
        let error = their.indices.map { abs(our[$0] - their[$0]) }.max() ?? 1
        // Ringing long before the onset is left out.
        #expect(error < 0.006 * top, "\(place)")
        #expect(our[558...].allSatisfy { abs($0) < 1e-6 })
        #expect(our.onset(above: top / 4) == their.onset(above: top / 4))
        #expect(abs(10 * log10(energy(our) / energy(their))) < 0.01)
      }
    }
  }

  @Test(.enabled(if: isThere, reason))
  func `between its directions level and delay are those of the neighbours`() throws {
    let witness = try #require(Self.witness)
    let places = stride(from: Float(2.5), to: 360, by: 20).map { Place(azimuth: $0) }
    for (place, ours) in zip(places, try heard(places)) {
      let lower = witness.ears(Double(place.azimuth - 2.5), 0)
      let upper = witness.ears(Double(place.azimuth + 2.5), 0)
      for ear in 0..<2 {
        let (low, high) = (energy(lower[ear]), energy(upper[ear]))
        // Without aligned onsets the two would partly cancel.
        let power = energy(ours[ear])
        #expect(power > 0.8 * min(low, high) && power < 1.1 * max(low, high))
      }
    }
  }

  @Test(.enabled(if: isThere, reason))
  func `sound reaches the near ear first and louder, and front differs from back`() throws {
    let places = [90, 270, 30, 150].map { Place(azimuth: $0) }
    let clicks = try heard(places)
    let (right, left) = (clicks[0], clicks[1])
    #expect((right[1].onset(above: 0.05) ?? 0) + 20 < right[0].onset(above: 0.05) ?? 0)
    #expect(energy(right[1]) > 10 * energy(right[0]))
    #expect(zip(left[0], right[1]).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(energy(clicks[2][1]) > 1.5 * energy(clicks[3][1]))
  }

  @Test(.enabled(if: isThere, reason))
  func `a circling source does not click`() throws {
    var still: Float = 0
    for azimuth in stride(from: Float(0), to: 360, by: 60) {
      let rig = try SceneRig(tone: 800, .headphones(try Self.head.get()))
      try rig.set(.azimuth, to: azimuth)
      still = max(still, rig.bend(quanta: 50, from: 2048))
    }
    let rig = try SceneRig(tone: 800, .headphones(try Self.head.get()))
    try rig.scene.parameters.set(0, to: 360, over: 1)
    #expect(rig.bend(quanta: 780, from: 2048) < 1.1 * still)
  }

  @Test(.enabled(if: isThere, reason))
  func `another rate is converted, and fewer taps are faded`() throws {
    let rate = SampleRate.hertz44100
    let head = try HeadResponses(
      sofaFile: Self.path, rate: rate, azimuthCount: 8, elevationCount: 3, mostTaps: 256)
    #expect(head.tapCount == 256 && head.rate == rate && head.latency == 0)
    let ears = head.ears(azimuth: 0, elevation: 0)
    #expect(ears.left.peak > 0.1 && abs(ears.left[255]) < 1e-4)
  }

  @Test(.enabled(if: isThere, reason))
  func `an invalid or truncated SOFA file is refused in a sentence`() throws {
    let scratch = try ScratchFolder()
    let whole = Self.bytes(Self.path)
    for (name, bytes) in [
      ("empty", []), ("text", Array("this is no sound\n".utf8)),
      ("zeros", [UInt8](repeating: 0, count: 10_000)), ("magic", Array(whole[..<8])),
      ("start", Array(whole[..<600])), ("half", Array(whole[..<(whole.count / 2)])),
    ] {
      let path = scratch.path("\(name).sofa")
      try scratch.write(bytes, to: "\(name).sofa")
      let error = #expect(throws: SOFAError.self) {
        try HeadResponses(sofaFile: path, rate: Rate.studio)
      }
      #expect("\(error, default: "")".hasPrefix(path + ": "))
    }
    let missing = scratch.path("none.sofa")
    #expect(
      throws: SOFAError.unreadable(path: missing, reason: "No such file or directory")
    ) { try HeadResponses(sofaFile: missing, rate: Rate.studio) }
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = unsafe fopen(path, "rb") else { return [] }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  @Test func `each error states the fault and the remedy`() {
    let missing = SOFAError.libraryMissing(reason: "x")
    #expect("\(missing)" == "libmysofa cannot be loaded: x (install libmysofa1)")
    #expect("\(SOFAError.notSOFA(path: "a.sofa"))".hasPrefix("a.sofa: not a SOFA file, or damaged"))
    #expect("\(SOFAError.unsuitable(path: "a.sofa", code: 10_004))".contains("(libmysofa: 10004)"))
  }
}
