// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import MusicalTime

/// The nodes of an engine and the connections between them.
struct EngineModel {
  /// A connection from an output to an input.
  struct Link {
    let source: AVAudioNode
    let output: Int
    let target: AVAudioNode
    let input: Int
    let format: AVAudioFormat
  }

  private(set) var nodes: [AVAudioNode] = []
  private(set) var links: [Link] = []

  mutating func attach(_ node: AVAudioNode) {
    if !contains(node) { nodes.append(node) }
  }

  func contains(_ node: AVAudioNode) -> Bool { nodes.contains { $0 === node } }

  mutating func detach(_ node: AVAudioNode) {
    nodes.removeAll { $0 === node }
    links.removeAll { $0.source === node || $0.target === node }
  }

  /// Removes a node and the connections from it.
  mutating func remove(_ node: AVAudioNode) {
    nodes.removeAll { $0 === node }
    links.removeAll { $0.source === node }
  }

  mutating func add(_ link: Link) { links.append(link) }

  mutating func removeLinks(_ isRemoved: (Link) -> Bool) { links.removeAll(where: isRemoved) }

  func link(to node: AVAudioNode, _ input: Int) -> Link? {
    links.first { $0.target === node && $0.input == input }
  }

  func links(from node: AVAudioNode, _ output: Int) -> [Link] {
    links.filter { $0.source === node && $0.output == output }
  }

  /// True if sound of a node reaches another, or if both are the same.
  func hasPath(from start: AVAudioNode, to end: AVAudioNode) -> Bool {
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(start)]
    var waiting = [start]
    while let node = waiting.popLast() {
      if node === end { return true }
      for link in links where link.source === node {
        if known.insert(ObjectIdentifier(link.target)).inserted { waiting.append(link.target) }
      }
    }
    return false
  }

  /// The number of inputs up to the last that is connected.
  func inputCount(of node: AVAudioNode) -> Int {
    (links.filter { $0.target === node }.map(\.input).max() ?? -1) + 1
  }

  /// The lowest input that is not connected.
  func freeInput(of node: AVAudioNode) -> Int {
    (0...links.count).first { link(to: node, $0) == nil } ?? 0
  }

  /// The channels that a node's unit puts out.
  private func channelCount(from node: AVAudioNode) -> Int {
    node.unitChannelCount(links(from: node, 0).first?.format)
  }

  /// The shape of a node's unit.
  func shape(of node: AVAudioNode, _ rate: SampleRate, usual: AVAudioFormat) -> UnitShape {
    // In steps of eight, so that the next connection needs no other unit.
    let count =
      node.hasAnyInputs ? max(1, (inputCount(of: node) + 7) / 8) * 8 : node.numberOfInputs
    let inputs = (0..<count).map { input in
      link(to: node, input).map { channelCount(from: $0.source) } ?? 2
    }
    return UnitShape(
      rate: rate, inputs: inputs, output: links(from: node, 0).first?.format ?? usual,
      version: node.unitVersion(sources(of: node)))
  }

  /// The nodes that are connected to a node, by input.
  func sources(of node: AVAudioNode) -> [Int: AVAudioNode] {
    links.reduce(into: [:]) { result, link in
      if link.target === node { result[link.input] = link.source }
    }
  }
}
