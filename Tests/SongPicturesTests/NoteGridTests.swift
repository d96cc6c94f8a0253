// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SongPictures

@Suite struct NoteGridTests {
  private func runs(_ grid: NoteGrid) -> [(value: UInt8, runs: [Run])] {
    grid.runs(left: 0) { Double($0) }
  }

  @Test func `a note is drawn with its length, at least half a pixel`() {
    var grid = NoteGrid(rowCount: 2, width: 10)
    grid.paint(row: 0, from: 0.1, to: 0.5, 1)
    grid.paint(row: 1, from: 0.3, to: 0.3, 1)
    #expect(
      runs(grid)[0].runs == [Run(x: 1, y: 0, length: 4), Run(x: 3, y: 1, length: 0.5)])
  }

  @Test func `a gap separates adjacent notes of one key`() {
    var grid = NoteGrid(rowCount: 1, width: 10)
    grid.paint(row: 0, from: 0, to: 0.5, 1)
    grid.paint(row: 0, from: 0.5, to: 1, 1)
    #expect(
      runs(grid)[0].runs == [Run(x: 0, y: 0, length: 4.5), Run(x: 5, y: 0, length: 5)])
  }

  @Test func `notes too close to separate are merged, and none is lost`() {
    var grid = NoteGrid(rowCount: 1, width: 10)
    for note in 0..<1000 {
      grid.paint(row: 0, from: Double(note) / 1000, to: Double(note + 1) / 1000, 1)
    }
    let length = runs(grid)[0].runs.reduce(0) { $0 + $1.length }
    #expect(length >= 5)
    #expect(runs(grid)[0].runs.count <= 20)
  }

  @Test(arguments: [3, 7, 20, 33])
  func `neighbours of one strength touch`(count: Int) {
    var grid = NoteGrid(rowCount: 1, width: 10)
    for part in 0..<count { grid.fill(row: 0, part..<part + 1, of: count, 5) }
    #expect(runs(grid).map(\.runs) == [[Run(x: 0, y: 0, length: 10)]])
  }

  @Test func `what began before and ends after is drawn as far as it is seen`() {
    var grid = NoteGrid(rowCount: 1, width: 10)
    grid.paint(row: 0, from: -5, to: 7, 3)
    grid.paint(row: 0, from: 1, to: 2, 3)
    grid.paint(row: 0, from: -2, to: -1, 3)
    grid.paint(row: 1, from: 0, to: 1, 3)
    grid.paint(row: -1, from: 0, to: 1, 3)
    grid.paint(row: 0, from: .nan, to: 1, 3)
    #expect(runs(grid)[0].runs == [Run(x: 0, y: 0, length: 10)])
  }

  @Test func `a curve has a few points for each pixel, and its extremes are among them`() {
    let steps = (0..<100_000).map { (seconds: Double($0) / 1000, value: Double($0 * 7919 % 128)) }
    let axis = TimeAxis(0, 100, left: 0, width: 50)
    let box = Box(x: 0, y: 0, width: 50, height: 127)
    let line = StepCurve(steps: steps).line(axis, in: box, range: 0...127)
    #expect(line.count <= 50 * 5)
    #expect(line.contains { $0.y == 0 })
    #expect(line.contains { $0.y == 127 })
    #expect(line.last?.x == 50)
  }

  @Test func `a curve begins with what held before, and is empty before its first value`() {
    let curve = StepCurve(steps: [(1, 10), (2, 20)])
    #expect(curve.value(at: 0.5) == nil)
    #expect(curve.value(at: 1) == 10)
    #expect(curve.value(at: 9) == 20)
    let axis = TimeAxis(1.5, 1.8, left: 0, width: 10)
    let box = Box(x: 0, y: 0, width: 10, height: 100)
    #expect(
      curve.line(axis, in: box, range: 0...100) == [Point(0, 90), Point(10, 90)])
  }
}
