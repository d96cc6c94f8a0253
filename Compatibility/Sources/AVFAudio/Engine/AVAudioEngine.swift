// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import CoreAudio
public import Foundation
internal import MusicalTime

/// A group of connected audio nodes that produce, process and output audio.
///
/// When started, the engine plays on the device of the audio session; if the device cannot be
/// opened, it plays in real time on the null output. In manual rendering mode, the engine fills
/// your buffers through `renderOffline(_:to:)` and `manualRenderingBlock` instead. Changes of
/// connections fade for 5 ms.
///
/// - Note: Any thread, except inside the closures that the engine calls to render audio.
open class AVAudioEngine: NSObject, @unchecked Sendable {
  /// The settings of manual rendering.
  struct Manual {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let rate: SampleRate
    let maximum: AVAudioFrameCount
  }

  /// Held, outside of `lock`, by the calls that start and stop the engine.
  let moves = NSRecursiveLock()
  /// Every access to what follows holds the lock.
  let lock = NSRecursiveLock()
  var manual: Manual?
  var rendering: EngineRendering?
  var device: EngineDevice?
  var runs = false
  private(set) var model = EngineModel()
  private var mixer: AVAudioMixerNode?
  private(set) var input: AVAudioInputNode?
  private var refusal: NSError?
  private var shutsDown = false

  let output = AVAudioOutputNode()
  /// The renderer of the program's calls.
  let program = ManualRenderer()
  /// The players of sequencers that advance with offline rendering.
  let slices = EngineSlices()
  let hardware: EngineHardware

  /// Creates an engine without connections.
  override public convenience init() {
    self.init(hardware: .session)
  }

  /// Creates an engine that plays on devices of the caller.
  ///
  /// - Parameter hardware: Opens the devices.
  package init(hardware: EngineHardware) {
    self.hardware = hardware
    super.init()
    _ = output.claim(for: self)
    model.attach(output)
  }

  deinit {
    device?.stop()
    rendering?.stopService()
  }

  // MARK: Nodes

  /// The output node; the audio that reaches its input is the output of the engine.
  open var outputNode: AVAudioOutputNode { output }

  /// The node that provides audio from the input device.
  ///
  /// The node is created when you first access this property. The device is opened by `start()` if
  /// the node is connected or has a tap.
  open var inputNode: AVAudioInputNode {
    lock.withLock {
      if let input { return input }
      let made = AVAudioInputNode()
      input = made
      attach(made)
      return made
    }
  }

  /// A mixer that is connected to the output node.
  ///
  /// The mixer is created when you first access this property.
  open var mainMixerNode: AVAudioMixerNode {
    lock.withLock {
      if let mixer { return mixer }
      let made = AVAudioMixerNode()
      mixer = made
      attach(made)
      join(made, output, usualFormat)
      return made
    }
  }

  /// All nodes that are attached to the engine.
  open var attachedNodes: Set<AVAudioNode> { lock.withLock { Set(model.nodes) } }

  /// Attaches a node to the engine.
  ///
  /// - Parameter node: The node. If it is attached to another engine, it is detached from that
  ///   engine first. The input and output nodes of other engines are ignored.
  open func attach(_ node: AVAudioNode) {
    guard !(node is AVAudioIONode) || isFixed(node) else { return }
    let other = node.claim(for: self)
    // Not under this engine's lock, so that two engines can exchange nodes.
    if let other, other !== self { other.remove(node) }
    change { model in
      // Another thread may have attached it to another engine meanwhile.
      if node.engine === self { model.attach(node) }
    }
  }

  private func isFixed(_ node: AVAudioNode) -> Bool {
    node === output || lock.withLock { node === input }
  }

  /// Removes a node and its connections from the engine.
  ///
  /// - Parameter node: The node. The input and output nodes cannot be removed.
  open func detach(_ node: AVAudioNode) {
    guard !(node is AVAudioIONode) else { return }
    lock.withLock {
      node.leave(self)
      remove(node)
    }
  }

  /// Removes a node that is not attached to the engine any more.
  private func remove(_ node: AVAudioNode) {
    change { model in
      // Another thread may have attached it again meanwhile.
      guard node.engine !== self else { return }
      model.detach(node)
      if node === mixer { mixer = nil }
    }
  }

  /// True if the engine should close an idle device; false by default.
  ///
  /// The value is stored, but not used: the device is open while the engine runs.
  open var isAutoShutdownEnabled: Bool {
    get { lock.withLock { shutsDown } }
    set { lock.withLock { shutsDown = newValue } }
  }

  /// The error of the last connection attempt; nil if it succeeded.
  ///
  /// A connection that would form a loop is not made; the error is then
  /// `kAUGraphErr_InvalidConnection`, and the existing connections do not change. Apple's engine
  /// ends the program in this case.
  open var connectionError: NSError? { lock.withLock { refusal } }

  // MARK: Changes

  /// Changes the nodes and connections, and the graph if the engine runs.
  ///
  /// - Parameter body: Changes the model; if it throws, nothing is changed.
  func change(_ body: (inout EngineModel) throws -> Void) rethrows {
    try lock.withLock {
      // A copy: the nodes ask the engine for its connections meanwhile.
      var changed = model
      try body(&changed)
      model = changed
      edit()
    }
  }

  /// Makes the graph that of the model.
  func edit() {
    lock.withLock {
      do {
        try rendering?.edit(model)
      } catch {
        refusal = AVFAudioError.error(
          kAUGraphErr_InvalidConnection, call: "connect", reason: "\(error)")
      }
    }
  }

  /// Stores the result of a connection.
  func noteConnection(_ error: NSError?) { lock.withLock { refusal = error } }

  /// Applies the volumes of the nodes.
  func levelsChanged() { lock.withLock { rendering?.setLevels(model) } }
}

// MARK: Formats
extension AVAudioEngine {
  /// The rate of the engine while it runs, or with which it will start.
  var rate: SampleRate {
    lock.withLock { manual?.rate ?? rendering?.rate ?? hardware.rate() }
  }

  /// Two channels at the rate of the engine.
  var usualFormat: AVAudioFormat { Self.format(hertz: Int(rate.hertz), channels: 2) }

  /// The rate of a node without an engine.
  static let usualRate = 44_100

  /// Describes sound of single precision in separate buffers.
  static func format(hertz: Int, channels: UInt32) -> AVAudioFormat {
    AVAudioFormat(
      AudioStreamBasicDescription(
        .pcmFormatFloat32, sampleRate: Double(hertz), channels: channels, interleaved: false),
      layout: nil)
  }

  func format(of node: AVAudioNode, input bus: Int) -> AVAudioFormat? {
    lock.withLock {
      if let link = model.link(to: node, bus) { return link.format }
      return node === output ? manual?.format : nil
    }
  }

  func format(of node: AVAudioNode, output bus: Int) -> AVAudioFormat? {
    lock.withLock {
      if node === output { return manual?.format }
      return model.links(from: node, bus).first?.format
    }
  }

  func freeInput(of node: AVAudioNode) -> Int { lock.withLock { model.freeInput(of: node) } }

  func inputCount(of node: AVAudioNode) -> Int {
    lock.withLock { max(1, model.inputCount(of: node)) }
  }
}
