// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// Subgraphs: graphs in a node of another graph.
@Suite struct AUGraphSubGraphTests {
  /// A graph with a mixer whose input is a subgraph of a render callback and an output.
  private final class Nest {
    var outer: AUGraph?
    var inner: AUGraph?
    var (node, mixer, output, innerOutput): (AUNode, AUNode, AUNode, AUNode) = (0, 0, 0, 0)

    init() {
      NewAUGraph(&outer)
      #expect(AUGraphNewNodeSubGraph(outer, &node) == 0)
      #expect(AUGraphGetNodeInfoSubGraph(outer, node, &inner) == 0)
      mixer = add(outer, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
      output = add(outer, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    }

    deinit { DisposeAUGraph(outer) }

    func add(_ graph: AUGraph?, _ type: OSType, _ subtype: OSType) -> AUNode {
      var description = AUGraphTests.description(type, subtype)
      var node: AUNode = 0
      #expect(AUGraphAddNode(graph, &description, &node) == 0)
      return node
    }

    /// Adds the output of the subgraph, with a render callback that returns a constant.
    func fill() {
      innerOutput = add(inner, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
      var callback = AURenderCallbackStruct(
        inputProc: { _, _, _, _, frames, list in
          for buffer in AUGraphTests.buffers(list) {
            let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
          }
          return 0
        }, inputProcRefCon: UnsafeMutableRawPointer(bitPattern: 8))
      #expect(AUGraphSetNodeInputCallback(inner, innerOutput, 0, &callback) == 0)
      #expect(AUGraphConnectNodeInput(outer, node, 0, mixer, 0) == 0)
      #expect(AUGraphConnectNodeInput(outer, mixer, 0, output, 0) == 0)
    }

    func render() -> (OSStatus, Float, Float) {
      var unit: AudioUnit?
      AUGraphNodeInfo(outer, output, nil, &unit)
      return AUGraphTests.render(unit, 256)
    }
  }

  @Test func `The output of a subgraph is the output of its node`() {
    let nest = Nest()
    nest.fill()
    #expect(AUGraphOpen(nest.outer) == 0)
    #expect(AUGraphInitialize(nest.outer) == 0)
    let (status, left, right) = nest.render()
    #expect(status == 0 && left == 0.5 && right == 0.5)
    var isReady: DarwinBoolean = false
    #expect(AUGraphIsInitialized(nest.inner, &isReady) == 0)
    #expect(isReady.boolValue)
    #expect(AUGraphUninitialize(nest.outer) == 0)
    AUGraphIsInitialized(nest.inner, &isReady)
    #expect(!isReady.boolValue)
  }

  @Test func `Nodes with a subgraph are distinguished from nodes with a unit`() {
    let nest = Nest()
    var isGraph: DarwinBoolean = false
    #expect(AUGraphIsNodeSubGraph(nest.outer, nest.node, &isGraph) == 0)
    #expect(isGraph.boolValue)
    #expect(AUGraphIsNodeSubGraph(nest.outer, nest.mixer, &isGraph) == 0)
    #expect(!isGraph.boolValue)
    var graph = nest.inner
    #expect(AUGraphGetNodeInfoSubGraph(nest.outer, nest.mixer, &graph) == -50)
    #expect(graph == nil)
    #expect(AUGraphGetNodeInfoSubGraph(nest.outer, 99, &graph) == kAUGraphErr_NodeNotFound)
    #expect(AUGraphIsNodeSubGraph(nest.outer, 99, &isGraph) == kAUGraphErr_NodeNotFound)
    var node: AUNode = 7
    #expect(AUGraphNewNodeSubGraph(nil, &node) == -50)
    #expect(node == 0)
  }

  @Test func `A subgraph needs an output, and its node does not have inputs`() {
    let nest = Nest()
    #expect(
      AUGraphConnectNodeInput(nest.outer, nest.mixer, 0, nest.node, 0)
        == kAUGraphErr_InvalidConnection)
    AUGraphOpen(nest.outer)
    #expect(AUGraphInitialize(nest.outer) == kAUGraphErr_OutputNodeErr)
    nest.fill()
    #expect(AUGraphInitialize(nest.outer) == 0)
    #expect(nest.render().1 == 0.5)
  }

  @Test func `A subgraph is freed with its node, not before`() {
    let nest = Nest()
    nest.fill()
    #expect(DisposeAUGraph(nest.inner) == kAUGraphErr_CannotDoInCurrentContext)
    AUGraphOpen(nest.outer)
    #expect(AUGraphRemoveNode(nest.outer, nest.node) == 0)
    #expect(AUGraphOpen(nest.inner) == -50)
    AUGraphInitialize(nest.outer)
    #expect(nest.render().0 == 0 && nest.render().1 == 0)
    let other = Nest()
    let inner = other.inner
    DisposeAUGraph(other.outer)
    #expect(AUGraphOpen(inner) == -50)
  }
}
