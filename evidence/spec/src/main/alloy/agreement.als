/*
 * Which clients two sets of nodes accept while nodes lose their data, return from a quarantine, or miss a step.
 * change.als has what the clients may then do. Here, only one thing matters: the sets never accept clients that have
 * them alone at the same time.
 */
module agreement

abstract sig Node {
  /** Who has changed last which clients the node accepts. */
  var mark: lone Writer
}
sig Previous, Present extends Node {}

/** The nodes that accept only clients of both sets. */
var sig Closed in Node {}
/** The nodes in quarantine, which have lost their data, or have an older copy of it. */
var sig Out in Node {}

abstract sig Writer {}

/** Administrators who open the present nodes to clients of them alone, or, on the way back, the previous ones. */
abstract sig Administrator extends Writer {
  /** The marks that the nodes had when it began. */
  var read: Node -> Writer,
  /** The nodes that it has closed, and those of them that it has read once more when a majority was. */
  var shut, kept: set Node
}
sig Forward, Back extends Administrator {}

/** A client that ends the quarantine of a node, or opens a node that has missed a step. */
sig Client extends Writer {
  /** The node that it mends. */
  node: one Node,
  /** The other nodes of the set that have told it, and those of them that were open. */
  var known, shown: set Node
}

var sig Working in Administrator {}

enum Rule {
  /** A set is opened once a majority of the other one still has its mark when all of that have been closed. */
  ReadAgain,
  /** A node in quarantine takes no part in a step. */
  OutTakesNoPart,
  /** A node is opened if N - Q + 1 other nodes are open. */
  OpenShown,
  /** What was learnt counts only in the quarantine in which it was. */
  SameQuarantine,
  /** A node that returns gets a mark that it never had. */
  FreshMark,
  /** A client that opens a node gives it a mark before it asks the others, */
  MarkFirst,
  /** and compares it afterwards. */
  Compared
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the current step, and the mark in an older copy of the data of one. */
one sig Step { var nodes: set Node, var copied: lone Writer }

pred on[r: Rule] { r not in Config.off }

fun setOf[n: Node]: set Node { n in Previous implies Previous else Present }
fun closes[a: Administrator]: set Node { a in Forward implies Previous else Present }
fun opens[a: Administrator]: set Node { Node - closes[a] }

pred majority[ns: set Node, whole: set Node] { #(ns & whole) > div[#whole, 2] }
/** Each majority of the set has one of these nodes. */
pred meetsAll[ns: set Node, whole: set Node] { not majority[whole - ns, whole] }

/** The present nodes are closed before their first client starts. */
pred init {
  Closed = Present and no Out and no mark and no read and no shut and no kept and no known and no shown and no Working
}

pred unchangedNodes { Closed' = Closed and mark' = mark and Out' = Out }
pred unchangedWork { shut' = shut and kept' = kept and known' = known and shown' = shown }

/** An administrator reads the marks. */
pred start[a: Administrator] {
  a not in Working
  Working' = Working + a
  read' = read + a->mark
  unchangedNodes and unchangedWork
}

pred mayWrite[a: Administrator, ns: set Node] {
  a in Working and some ns
  all n: ns | n.mark = n.(a.read)
}

/** Some nodes accept only clients of both sets from now on. */
pred close[a: Administrator, ns: set Node] {
  mayWrite[a, ns] and ns in closes[a] - a.shut
  Closed' = Closed + ns
  mark' = mark ++ ns->a
  shut' = shut + a->ns
  Out' = Out and Working' = Working and read' = read and kept' = kept and known' = known and shown' = shown
}

/** The administrator reads some nodes once more. */
pred keep[a: Administrator, ns: set Node] {
  some ns and ns in a.shut
  on[ReadAgain] implies majority[a.shut, closes[a]] and ns.mark = a
  on[ReadAgain] and on[OutTakesNoPart] implies no ns & Out
  kept' = kept + a->ns
  unchangedNodes and Working' = Working and read' = read and shut' = shut and known' = known and shown' = shown
}

/** Some nodes accept clients of their set alone from now on. */
pred reopen[a: Administrator, ns: set Node] {
  mayWrite[a, ns] and ns in opens[a] and majority[a.kept, closes[a]]
  Closed' = Closed - ns
  mark' = mark ++ ns->a
  Out' = Out and Working' = Working and read' = read and unchangedWork
}

/** A node loses its data, or is started with an older copy. A single node has no quarantine, and keeps its data. */
pred forget[n: Node, copied: lone Writer] {
  #setOf[n] > 2
  Out' = Out + n
  mark' = mark - n->Writer + n->copied
  copied in n.(Administrator.read) or no copied
  Closed' = Closed - n
  on[SameQuarantine] implies (known' = known - node.n->Node and shown' = shown - node.n->Node)
    else (known' = known and shown' = shown)
  shut' = shut and kept' = kept and Working' = Working and read' = read
}

/** A client asks some of the other nodes of the set. */
pred ask[c: Client, ns: set Node] {
  some ns and ns in setOf[c.node] - c.node - Out
  known' = known + c->ns
  shown' = shown + c->(ns - Closed)
  unchangedNodes and shut' = shut and kept' = kept and Working' = Working and read' = read
}

pred isNew[c: Client] { c not in Node.mark + Node.(Administrator.read) }
pred isOpen[c: Client] { on[OpenShown] implies meetsAll[c.shown, setOf[c.node]] else some c.shown }

/** The node votes again, as the others do. */
pred return[c: Client] {
  c.node in Out and meetsAll[c.known, setOf[c.node]]
  Out' = Out - c.node
  isOpen[c] implies Closed' = Closed - c.node else Closed' = Closed + c.node
  on[FreshMark] implies (isNew[c] and mark' = mark ++ c.node->c) else mark' = mark
  Working' = Working and read' = read and unchangedWork
}

/** A client that is going to open a node asks the others from now on. */
pred claim[c: Client] {
  c.node not in Out and isNew[c]
  mark' = mark ++ c.node->c
  known' = known - c->Node and shown' = shown - c->Node
  Closed' = Closed and Out' = Out and shut' = shut and kept' = kept and Working' = Working and read' = read
}

/** A client opens a node that has missed a step. */
pred mend[c: Client] {
  isOpen[c] and c.node not in Out
  on[MarkFirst] and on[Compared] implies c.node.mark = c
  Closed' = Closed - c.node
  mark' = mark ++ c.node->c
  Out' = Out and Working' = Working and read' = read and unchangedWork
}

pred nothing { unchangedNodes and unchangedWork and Working' = Working and read' = read }

fact behaviour {
  init
  always (nothing
    or (some a: Administrator | start[a] or close[a, Step.nodes] or keep[a, Step.nodes] or reopen[a, Step.nodes])
    or (some n: Node | forget[n, Step.copied])
    or (some c: Client | ask[c, Step.nodes] or return[c] or claim[c] or mend[c]))
}

/** The nodes that accept clients of their set alone. */
fun alone: set Node { Node - Closed - Out }
/** Clients of one set alone are never accepted by a majority of each set. */
pred apart { not (majority[alone, Previous] and majority[alone, Present]) }

oneAdministrator: check { no Config.off implies always apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 2 Client, 3 Writer, 12..12 steps expect 0
twoAdministrators: check { no Config.off implies always apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 2 Administrator, 1 Client, 3 Writer, 13..13 steps expect 0

/* The model is not vacuous: the present nodes are opened, and so is a node that has lost its data, or missed a step. */

change: run {
  no Config.off
  some n: Previous | eventually (n in Out and eventually (n in Closed - Out and eventually majority[alone, Present]))
} for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 1 Client, 2 Writer, 12..12 steps expect 1
mended: run {
  no Config.off
  some c: Client | eventually (c.node in Present and c.node in Closed and mend[c])
} for exactly 1 Previous, exactly 3 Present, 4 Node, 1 Administrator, 1 Client, 2 Writer, 10..10 steps expect 1

/* Without one rule, the promise is broken. */

withoutReadAgain: run { Config.off = ReadAgain and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 2 Client, 3 Writer, 12..12 steps expect 1
withoutOutTakesNoPart: run { Config.off = OutTakesNoPart and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 2 Client, 3 Writer, 12..12 steps expect 1
withoutOpenShown: run { Config.off = OpenShown and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 2 Client, 3 Writer, 12..12 steps expect 1
withoutSameQuarantine: run { Config.off = SameQuarantine and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 2 Client, 3 Writer, 12..12 steps expect 1
withoutFreshMark: run { Config.off = FreshMark and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 2 Administrator, 1 Client, 3 Writer, 14..14 steps expect 1
withoutCompared: run { Config.off = Compared and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 1 Client, 2 Writer, 12..12 steps expect 1
withoutMarkFirst: run { Config.off = MarkFirst and eventually not apart } for exactly 3 Previous, exactly 1 Present, 4 Node, 1 Administrator, 1 Client, 2 Writer, 12..12 steps expect 1
