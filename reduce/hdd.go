package reduce

import "slices"

// hddPass is hierarchical delta debugging (Misherghi and Su, ICSE 2006). Level by
// level of the tree, it replaces nodes by their least derivations or takes them
// out of their lists.
func hddPass(s *search) error {
	for level := 0; s.best.tree != nil; level++ {
		v := s.bestView()
		var nodes []edit
		deepest := 0
		for i := range v.tree.Nodes() {
			if !v.visible[i] {
				continue
			}
			deepest = max(deepest, v.depth[i])
			if v.depth[i] != level {
				continue
			}
			if es := v.listEdits(i); len(es) > 0 {
				nodes = append(nodes, es...)
				continue
			}
			nodes = append(nodes, v.minimalEdits(i)...)
		}
		if level > deepest {
			return nil
		}
		es := chunkEdits(len(nodes), func(a, b int) (edit, bool) {
			cuts, ok := merge(nodes[a:b])
			return newEdit(slices.Clone(cuts)...), ok
		})
		if err := s.tryEdits(byGain(es), s.treeBuilder(v)); err != nil {
			return err
		}
	}
	return nil
}
