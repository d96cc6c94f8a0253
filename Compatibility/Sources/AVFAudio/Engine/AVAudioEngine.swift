// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import CoreAudio
public import Foundation
internal import MusicalTime

/// Nodes that produce, mix and output sound, and the connections between them.
///
/// An engine renders in manual rendering mode: `renderOffline(_:to:)` fills the program's buffers.
/// A change of connections fades for 5 ms. Any thread may call an engine.
open class AVAudioEngine: NSObject, @unchecked Sendable {
  /// The settings of manual rendering.
  struct Manual {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let rate: SampleRate
    let maximum: AVAudioFrameCount
  }

  /// Every access to what follows holds the lock.
  let lock = NSRecursiveLock()
  var manual: Manual?
  var rendering: EngineRendering?
  var runs = false
  private var model = EngineModel()
  private let output = AVAudioOutputNode()
  private var mixer: AVAudioMixerNode?

  /// The sample rate without manual rendering.
  static let usualRate = 44_100

  /// Creates an engine.
  override public init() {
    super.init()
    output.setEngine(self)
    model.attach(output)
  }

  /// The node whose input is the sound of the engine.
  open var outputNode: AVAudioOutputNode { output }

  /// A mixer that is connected to the output; it is created at the first access.
  open var mainMixerNode: AVAudioMixerNode {
    lock.withLock {
      if let mixer { return mixer }
      let made = AVAudioMixerNode()
      mixer = made
      attach(made)
      connect(made, to: output, format: usualFormat)
      return made
    }
  }

  /// The nodes of the engine.
  open var attachedNodes: Set<AVAudioNode> { lock.withLock { Set(model.nodes) } }

  /// Adds a node.
  ///
  /// - Parameter node: The node; of another engine it is taken away.
  open func attach(_ node: AVAudioNode) {
    if let other = node.engine, other !== self { other.detach(node) }
    lock.withLock {
      model.attach(node)
      node.setEngine(self)
    }
  }

  /// Removes a node with its connections.
  ///
  /// - Parameter node: The node; the output is not removed.
  open func detach(_ node: AVAudioNode) {
    guard node !== output else { return }
    change { model in
      guard model.contains(node) else { return }
      model.detach(node)
      node.setEngine(nil)
      if node === mixer { mixer = nil }
    }
  }

  /// Connects an output to an input, in place of the connections that both have.
  ///
  /// - Parameters:
  ///   - node1: The node that is audible.
  ///   - node2: The node that receives the sound.
  ///   - bus1: The output.
  ///   - bus2: The input, at most 1023.
  ///   - format: The format; nil for the one that the output has.
  open func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
    toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    connect(
      node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
  }

  /// Connects the first output of a node to the first free input of a mixer, or to the first input
  /// of another node.
  ///
  /// - Parameters:
  ///   - node1: The node that is audible.
  ///   - node2: The node that receives the sound.
  ///   - format: The format; nil for the one that the output has.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    lock.withLock {
      let known = model.links(from: node1, 0).first { $0.target === node2 }?.input
      let bus = node2.hasAnyInputs ? known ?? model.freeInput(of: node2) : 0
      connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
    }
  }

  /// Connects an output to several inputs, in place of the connections that they have.
  ///
  /// - Parameters:
  ///   - sourceNode: The node that is audible.
  ///   - destNodes: The inputs.
  ///   - sourceBus: The output.
  ///   - format: The format; nil for the one that the output has.
  open func connect(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint],
    fromBus sourceBus: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    guard sourceBus == 0, sourceNode !== output else { return }
    attach(sourceNode)
    let format = format ?? sourceNode.outputFormat(forBus: sourceBus)
    for point in destNodes { if let node = point.node { attach(node) } }
    change { model in
      model.removeLinks { $0.source === sourceNode && $0.output == sourceBus }
      for point in destNodes {
        guard let node = point.node, node.numberOfInputs > 0, (0...1023).contains(point.bus),
          node.hasAnyInputs || point.bus < node.numberOfInputs
        else { continue }
        model.removeLinks { $0.target === node && $0.input == point.bus }
        model.add(
          EngineModel.Link(
            source: sourceNode, output: sourceBus, target: node, input: point.bus, format: format))
      }
    }
  }

  /// Removes the connection of an input.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The input.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.removeLinks { $0.target === node && $0.input == bus } }
  }

  /// Removes the connections of all inputs.
  ///
  /// - Parameter node: The node.
  open func disconnectNodeInput(_ node: AVAudioNode) {
    change { $0.removeLinks { $0.target === node } }
  }

  /// Removes the connections of an output.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The output.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.removeLinks { $0.source === node && $0.output == bus } }
  }

  /// Removes the connections of all outputs.
  ///
  /// - Parameter node: The node.
  open func disconnectNodeOutput(_ node: AVAudioNode) {
    change { $0.removeLinks { $0.source === node } }
  }

  /// Returns the output that is connected to an input.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The input.
  /// - Returns: The output, or nil.
  open func inputConnectionPoint(
    for node: AVAudioNode, inputBus bus: AVAudioNodeBus
  ) -> AVAudioConnectionPoint? {
    lock.withLock {
      model.link(to: node, bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.output) }
    }
  }

  /// Returns the inputs that are connected to an output.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The output.
  /// - Returns: The inputs.
  open func outputConnectionPoints(
    for node: AVAudioNode, outputBus bus: AVAudioNodeBus
  ) -> [AVAudioConnectionPoint] {
    lock.withLock {
      model.links(from: node, bus).map { AVAudioConnectionPoint(node: $0.target, bus: $0.input) }
    }
  }

  /// Does nothing: `start()` prepares the engine.
  open func prepare() {}

  /// Starts the engine.
  ///
  /// - Throws: An `NSError`: `kAudioUnitErr_FailedInitialization` without manual rendering mode, and
  ///   for nodes that are connected to themselves.
  open func start() throws {
    try lock.withLock {
      guard let manual else {
        throw AVFAudioError.error(
          kAudioUnitErr_FailedInitialization, call: "start()",
          reason: "only manual rendering is available (call enableManualRenderingMode first)")
      }
      if rendering == nil { rendering = try makeRendering(manual) }
      runs = true
    }
  }

  private func makeRendering(_ manual: Manual) throws -> EngineRendering {
    do {
      return try EngineRendering(model, rate: manual.rate, usual: usualFormat)
    } catch {
      throw AVFAudioError.error(
        kAudioUnitErr_FailedInitialization, call: "start()", reason: "\(error)")
    }
  }

  /// Pauses the engine; `start()` continues.
  open func pause() { lock.withLock { runs = false } }

  /// Stops the engine; `start()` begins at frame 0.
  open func stop() {
    lock.withLock { (runs, rendering) = (false, nil) }
  }

  /// Forgets the sound that the nodes keep, and begins at frame 0.
  open func reset() {
    lock.withLock {
      for node in model.nodes { node.reset() }
      guard rendering != nil, let manual else { return }
      do { rendering = try makeRendering(manual) } catch { (runs, rendering) = (false, nil) }
    }
  }

  /// True after `start()`, until `pause()` or `stop()`.
  open var isRunning: Bool { lock.withLock { runs } }
}

extension AVAudioEngine {
  /// Changes the connections, and the graph if it is rendered.
  private func change(_ body: (inout EngineModel) -> Void) {
    lock.withLock {
      // A copy: the nodes ask the engine for its connections meanwhile.
      var changed = model
      body(&changed)
      model = changed
      guard let rendering else { return }
      do {
        try rendering.edit(model)
      } catch {
        // A circle, for which Apple's engine ends the program: the sound stays as it was.
      }
    }
  }

  /// Applies the volumes of the nodes.
  func levelsChanged() { lock.withLock { rendering?.setLevels(model) } }

  /// Two channels at the rate of the engine.
  var usualFormat: AVAudioFormat {
    lock.withLock { Self.format(hertz: Int(manual?.rate.hertz ?? 44_100), channels: 2) }
  }

  static func format(hertz: Int, channels: UInt32) -> AVAudioFormat {
    AVAudioFormat(
      AudioStreamBasicDescription(
        .pcmFormatFloat32, sampleRate: Double(hertz), channels: channels, interleaved: false),
      layout: nil)
  }

  /// The time of the next frame; nil if the engine does not run.
  var renderTime: AVAudioTime? {
    lock.withLock {
      guard runs, let rendering, let manual else { return nil }
      return AVAudioTime(sampleTime: rendering.position, atRate: Double(manual.rate.hertz))
    }
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
