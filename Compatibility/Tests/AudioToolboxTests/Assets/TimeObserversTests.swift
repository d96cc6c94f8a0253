// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AVFoundationAssets

@Suite struct TimeObserversTests {
  @Test func `Observers are due in the order of their times`() {
    var observers = TimeObservers()
    let late = observers.add(.boundary([3, 5]))
    let early = observers.add(.boundary([1, 4]))
    let periodic = observers.add(.periodic(interval: 2))
    #expect(observers.due(from: 0, to: 3) == [early, periodic, late])
    #expect(observers.due(from: 3, to: 5) == [early, periodic, late])
    #expect(observers.due(from: 5, to: 5.5) == [] && observers.due(from: 5, to: 1) == [])
    #expect(observers.atJump == [periodic])
    observers.remove(early)
    observers.remove(late)
    #expect(observers.due(from: 0, to: 5) == [periodic] && !observers.isEmpty)
  }

  @Test func `Windows that meet give each time once`() {
    var observers = TimeObservers()
    let id = observers.add(.boundary([0.5, 1, 1.5]))
    let whole = observers.due(from: 0, to: 2)
    for step in [0.1, 0.25, 0.5, 1] {
      var parts: [Int] = []
      var time = 0.0
      while time < 2 {
        parts += observers.due(from: time, to: time + step)
        time += step
      }
      #expect(parts == whole && whole == [id, id, id])
    }
  }

  @Test func `A time that equals a multiple is due once, and 0 is not`() {
    var observers = TimeObservers()
    let id = observers.add(.periodic(interval: 0.25))
    #expect(observers.due(from: -1, to: 0) == [id] && observers.due(from: 0, to: 0.2) == [])
    #expect(observers.due(from: 0.2, to: 0.25) == [id] && observers.due(from: 0.25, to: 0.4) == [])
  }
}
