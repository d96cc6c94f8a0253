// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
package import CommandKit
internal import JSONText
internal import PlayerControl

/// Reports when the sound device disappears, and when playback continues.
package struct DeviceWatch {
  /// A change of the device since the last check.
  package enum News {
    case lost, back
    /// It was lost, and another one replaced it at once.
    case moved
  }

  /// The action if the device disappears.
  package let policy: DeviceLossPolicy
  private let device: OutputDevice
  /// The mixed-in inputs that have not failed, and whether they were reported as lost.
  private var inputs: [(input: MixedInput, isAway: Bool)]
  private var isLost = false
  /// The frames in the buffer at the last report.
  private var bufferFrames: Int?
  /// The device at the last report.
  private var name: String

  /// Starts to watch a working device, and the mixed-in inputs.
  package init(_ device: OutputDevice, inputs: [MixedInput] = []) {
    self.device = device
    self.inputs = inputs.map { ($0, false) }
    policy = device.lossPolicy
    name = device.name
    bufferFrames = device.bufferFrames
  }

  /// Checks the device, and reports changes.
  ///
  /// - Returns: The change; nil for none.
  /// - Throws: `Failure` if the device is lost and the policy is to stop.
  package mutating func look() throws(Failure) -> News? {
    lookAtBuffer()
    lookAtInputs()
    let isAway = device.unit.isAway
    if isAway == isLost {
      guard !isLost, device.currentName != name, device.unit.fault == nil else { return nil }
      try tellLoss()
      tellReturn()
      return .moved
    }
    isLost = isAway
    if isLost {
      try tellLoss()
      return .lost
    }
    guard device.unit.fault == nil else { return nil }
    tellReturn()
    return .back
  }

  private func tellLoss() throws(Failure) {
    JSONReport.tell("device-lost")
    guard policy != .stop else { throw Failure(.ioError, device.absence) }
    Terminal.report("\(device.absence); \(expectation)")
  }

  /// Reports the device that is used now.
  private mutating func tellReturn() {
    let now = device.currentName
    Terminal.report(now == name ? "the sound device is back" : "now playing on \(now)")
    JSONReport.tell("device-back", [("device", .text(now))])
    name = now
  }

  /// Reports inputs whose device was lost or has returned, and inputs that failed.
  private mutating func lookAtInputs() {
    let states = inputs.map(\.input.state)
    for (index, state) in states.enumerated() {
      let name = inputs[index].input.name
      if let failure = state.failure {
        JSONReport.tell(
          "input-failed", [("device", .text(name)), ("message", .text("\(failure)"))])
        Terminal.report("--input \(name): \(failure); playback continues without it")
      } else if state.isAway != inputs[index].isAway {
        inputs[index].isAway = state.isAway
        JSONReport.tell(state.isAway ? "input-lost" : "input-back", [("device", .text(name))])
        let news = state.isAway ? "is gone; waiting for its return" : "is back"
        Terminal.report("--input \(name): the sound device \(news)")
      }
    }
    inputs = zip(inputs, states).filter { $1.failure == nil }.map { $0.0 }
  }

  /// Reports a buffer that has grown, or that belongs to another device.
  private mutating func lookAtBuffer() {
    let now = device.bufferFrames
    defer { bufferFrames = now }
    guard let now, let bufferFrames, now > bufferFrames else { return }
    let milliseconds = device.milliseconds(now)
    JSONReport.tell("buffer-grown", [("milliseconds", .decimal(milliseconds))])
    guard device.isVerbose else { return }
    Terminal.report("the device underran: its buffer is now \(milliseconds) ms")
  }

  /// Advice against underruns, for the user.
  package var remedy: String { device.remedy }

  private var expectation: String {
    switch policy {
    case .wait, .stop: "waiting for its return"
    case .move: "waiting for its return or another device"
    case .pause: "paused"
    }
  }
}
