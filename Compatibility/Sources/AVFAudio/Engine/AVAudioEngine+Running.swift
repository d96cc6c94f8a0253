// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation
internal import MusicalTime

extension NSNotification.Name {
  /// Posted when the engine has stopped because its device was disconnected or changed.
  ///
  /// The object of the notification is the engine. You can start the engine again.
  public static let AVAudioEngineConfigurationChange = NSNotification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

extension AVAudioEngine {
  /// Prepares the nodes of the engine in advance, so that `start()` takes less time.
  ///
  /// If the preparation fails, `start()` reports the error.
  public func prepare() {
    moves.withLock {
      do { try prepareRendering() } catch { lock.withLock { rendering = nil } }
    }
  }

  /// Starts the engine, or resumes it after `pause()`.
  ///
  /// - Throws: An `NSError` with the code `kAudioUnitErr_FailedInitialization` if the output or
  ///   input device cannot be opened, or if the input node is used but the machine cannot record.
  public func start() throws {
    try moves.withLock {
      guard !isRunning else { return }
      do {
        try prepareRendering()
        try run()
      } catch {
        lock.withLock { if !(rendering?.hasRun ?? true) { rendering = nil } }
        throw AVFAudioError.error(
          kAudioUnitErr_FailedInitialization, call: "start()", reason: "\(error)")
      }
    }
  }

  /// Creates the graph, if the engine does not have one.
  private func prepareRendering() throws {
    let (isManual, input) = lock.withLock { (manual != nil, usedInput) }
    let wanted = lock.withLock { manual?.rate } ?? hardware.rate()
    let rate = lock.withLock { rendering.flatMap { $0.hasRun ? $0.rate : nil } } ?? wanted
    let isOpened = isManual ? false : try input?.open(hardware, rate: rate) ?? false
    try lock.withLock {
      if let rendering, rendering.hasRun || rendering.rate == wanted {
        if isOpened { edit() }
        return
      }
      let mode: EngineRendering.Mode =
        switch manual?.mode {
        case .offline: .offline
        case .realtime: .pulled(maximumFrames: Int(manual?.maximum ?? 0))
        case nil: .device
        }
      rendering = try EngineRendering(
        model, mode, rate: wanted, usual: usualFormat, slices: slices)
    }
  }

  /// The input node, if it is connected or has a tap.
  private var usedInput: AVAudioInputNode? {
    guard let input, !model.links(from: input, 0).isEmpty || !input.taps.isEmpty else { return nil }
    return input
  }

  /// Opens the input of an engine that runs on a device, if it is used now.
  ///
  /// A failure is stored as `connectionError`, and the input is silent.
  func openInput() {
    guard lock.withLock({ device != nil && usedInput != nil }) else { return }
    moves.withLock {
      let (input, rate) = lock.withLock {
        (device == nil ? nil : usedInput, rendering?.rate)
      }
      guard let input, let rate else { return }
      do {
        if try input.open(hardware, rate: rate) { edit() }
      } catch {
        noteConnection(
          AVFAudioError.error(
            kAudioUnitErr_FailedInitialization, call: "inputNode", reason: "\(error)"))
      }
    }
  }

  private func run() throws {
    guard let rendering = lock.withLock({ rendering }) else { return }
    if let manual = lock.withLock({ manual }) {
      if manual.mode == .realtime { try rendering.startService() }
      program.set(rendering, manual)
      return lock.withLock { runs = true }
    }
    let input = lock.withLock { self.input }
    let device = EngineDevice(hardware.makeOutput(rendering.rate), rendering) {
      [weak self, hardware, input] output in
      guard hardware.isLost(output) || input?.isLost ?? false else { return false }
      DispatchQueue.global().async { [weak self] in self?.lose(output) }
      return true
    }
    try device.start()
    lock.withLock { (self.device, runs) = (device, true) }
  }

  /// Pauses the engine; `start()` resumes it.
  public func pause() {
    moves.withLock { halt() }
  }

  /// Stops the engine.
  ///
  /// A later call of `start()` begins at frame 0.
  public func stop() {
    moves.withLock {
      halt()
      let (old, input) = lock.withLock {
        defer { rendering = nil }
        return (rendering, self.input)
      }
      withExtendedLifetime(old) {}
      input?.close()
    }
  }

  /// Stops the output, and keeps the graph.
  private func halt() {
    let (device, rendering) = lock.withLock {
      runs = false
      defer { self.device = nil }
      return (self.device, self.rendering)
    }
    // Not under the lock: the output waits for the render thread.
    device?.stop()
    program.clear()
    rendering?.stopService()
  }

  /// Discards the audio that is stored in the nodes, and restarts the count of frames at 0.
  ///
  /// A running engine continues to run.
  public func reset() {
    moves.withLock {
      let (nodes, isReady, ran) = lock.withLock { (model.nodes, rendering != nil, runs) }
      for node in nodes { node.reset() }
      guard isReady else { return }
      halt()
      lock.withLock { rendering = nil }
      do {
        try prepareRendering()
        if ran { try run() }
      } catch {
        stop()
      }
    }
  }

  /// True if the engine is running: from `start()` until `pause()`, `stop()` or the loss of the
  /// device.
  public var isRunning: Bool { lock.withLock { runs } }

  /// Stops after the loss of the device, and posts the notification.
  private func lose(_ output: EngineOutput) {
    let isPresent = moves.withLock {
      guard lock.withLock({ device?.output === output }) else { return false }
      stop()
      return true
    }
    guard isPresent else { return }
    CallbackLoop.perform(orOn: nil) { [weak self] in
      guard let self else { return }
      NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }
  }

  // MARK: Times

  /// The time of the next frame of a node: in front of a time effect, nodes have their own frames.
  func renderTime(of node: AVAudioNode) -> AVAudioTime? {
    lock.withLock {
      guard let effect = model.effect(behind: node), runs, let rendering else { return renderTime }
      return rendering.position(before: effect).map {
        AVAudioTime(sampleTime: $0, atRate: Double(rendering.rate.hertz))
      }
    }
  }

  /// The time of the next frame; nil if the engine does not run.
  var renderTime: AVAudioTime? {
    let (device, rendering) = lock.withLock { runs ? (self.device, self.rendering) : (nil, nil) }
    guard let rendering else { return nil }
    let rate = Double(rendering.rate.hertz)
    guard let device else {
      return AVAudioTime(sampleTime: rendering.position, atRate: rate)
    }
    let frame = device.position
    guard let host = device.hostTime(ofFrame: frame) else {
      return AVAudioTime(sampleTime: frame, atRate: rate)
    }
    return AVAudioTime(hostTime: host, sampleTime: frame, atRate: rate)
  }

  /// The frame that is audible at a host time; nil without a running device.
  func frame(atHostTime time: UInt64) -> Int64? {
    lock.withLock { device }?.frame(atHostTime: time)
  }

  /// The seconds from the rendering of a frame until it is audible; 0 without a running device.
  var latency: Double { lock.withLock { device }?.latency ?? 0 }

  /// The time of the next frame to be rendered, from frame 0; 0 if the engine does not run.
  var nextTime: ReferenceTime {
    let (device, rendering) = lock.withLock { (self.device, self.rendering) }
    guard let rendering else { return .zero }
    return rendering.rate.timeRoundedUp(
      of: SampleTime(frames: device?.position ?? rendering.position))
  }

  /// The rate if the program renders offline; otherwise nil.
  var offlineRate: SampleRate? {
    lock.withLock { manual.flatMap { $0.mode == .offline ? $0.rate : nil } }
  }

  /// The start of the next quantum in the frames of a node, while the program renders offline.
  func sliceStart(of node: AVAudioNode) -> ReferenceTime {
    lock.withLock {
      guard let rendering else { return .zero }
      guard let effect = model.effect(behind: node),
        let frame = rendering.position(before: effect)
      else { return rendering.quantumStart }
      return rendering.rate.timeRoundedUp(of: SampleTime(frames: frame))
    }
  }

  /// The first node that is an instrument.
  var firstInstrument: AVAudioNode? {
    lock.withLock { model.nodes.first { $0.eventSink != nil } }
  }

  /// The relation of the engine's frames to host time; nil without a running device.
  var timeBase: TimeBase? { lock.withLock { device }?.timeBase }
}
