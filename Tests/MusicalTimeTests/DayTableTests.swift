// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import Testing

/// Hashes of the labels of a whole day; the first five tables equal those of bmx.
@Suite struct DayTableTests {
  struct Table: Sendable, CustomTestStringConvertible {
    let rates: [FrameRate]
    let lines: Int64
    let hash: String
    var testDescription: String { "\(rates)" }
  }

  static let tables = [
    Table(
      rates: [.fps24, .fps23976], lines: 2_073_600,
      hash: "85a2d5539317c7207252a340937af6ad42c4d30b7efc54e476325931ace1bdef"),
    Table(
      rates: [.fps2997Drop, .fps30Drop], lines: 2_589_408,
      hash: "bbf838324cc97798b79d8ef820bc63a106e9e2f4c6d8236bd96930b4f77adc80"),
    Table(
      rates: [.fps30, .fps2997], lines: 2_592_000,
      hash: "dadf3597af0db8345ec201f110ec8eb53f61e24cb4fca391ace5781f67f329dc"),
    Table(
      rates: [.fps5994Drop, .fps60Drop], lines: 5_178_816,
      hash: "6396f440a0e4464f3b0a9ae6f1e154fa43eeea0c879657884455e4ceb3091d13"),
    Table(
      rates: [.fps60, .fps5994], lines: 5_184_000,
      hash: "18ec5c67a41359736944f4827fbb1e4a4091d94fc55bb2c1a9bf22dd6fe0dbab"),
    Table(
      rates: [.fps25, .fps2498], lines: 2_160_000,
      hash: "aabffb6157c181394563d5880f615c7d27bd66f537ea49834c2384b5cf3d1b89"),
  ]

  static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"

  @Test(.enabled(if: isLong, "set DOWNBEAT_LONG=1"), arguments: tables)
  func `the labels of a day have the same hash as those of the reference`(_ table: Table) throws {
    for rate in table.rates {
      #expect(rate.framesPerDay == table.lines)
      var text: [UInt8] = []
      text.reserveCapacity(Int(table.lines) * 12)
      for frame in 0..<rate.framesPerDay {
        rate.append(rate.label(ofFrameInDay: frame), to: &text)
        text.append(UInt8(ascii: "\n"))
      }
      #expect(try SHA256Sum.of(text) == table.hash)
    }
  }

  @Test(arguments: FrameRate.allCases)
  func `frames survive the conversion to a label and back`(_ rate: FrameRate) throws {
    // Short: the first minutes frame by frame, then in steps that reach every field.
    let dense = Self.isLong ? 0 : rate.framesPerTenMinutes / 8
    for frame in 0..<dense { try check(frame, rate) }
    for frame in stride(from: Int64(0), to: rate.framesPerDay, by: Self.isLong ? 1 : 1733) {
      try check(frame, rate)
    }
    try check(rate.framesPerDay - 1, rate)
  }

  @Test(arguments: FrameRate.allCases)
  func `every minute of a day agrees with a counter of digits`(_ rate: FrameRate) throws {
    var frame: Int64 = 0
    for minute in 0..<Int64(1440) {
      let dropped = minute % 10 == 0 ? 0 : rate.droppedLabels
      let first = try Timecode(frame: frame, rate: rate).label(.signed)
      #expect(Int64(first.hours) * 60 + Int64(first.minutes) == minute)
      #expect(first.seconds == 0 && Int64(first.frames) == dropped)
      frame += 60 * Int64(rate.nominal) - dropped
      let last = try Timecode(frame: frame - 1, rate: rate).label(.signed)
      #expect(last.seconds == 59 && last.frames == rate.nominal - 1)
    }
    #expect(frame == rate.framesPerDay)
  }

  private func check(_ frame: Int64, _ rate: FrameRate) throws {
    let label = rate.label(ofFrameInDay: frame)
    guard try rate.frame(of: label) == frame else {
      Issue.record("\(rate): frame \(frame) became \(rate.text(of: label))")
      return
    }
  }
}

/// SHA-256 by a program of the system.
enum SHA256Sum {
  static func of(_ bytes: [UInt8]) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: path)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: path) } }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = [path.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output.prefix(64), as: UTF8.self)
  }
}
